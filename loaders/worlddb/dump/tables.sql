CREATE TABLE `creature_template` (
  `entry` int unsigned NOT NULL DEFAULT '0', `name` char(100) NOT NULL DEFAULT '0', `subname` char(100) DEFAULT NULL,
  `minlevel` tinyint unsigned NOT NULL DEFAULT '1', `maxlevel` tinyint unsigned NOT NULL DEFAULT '1', `exp` smallint NOT NULL DEFAULT '0',
  `faction` smallint unsigned NOT NULL DEFAULT '0', `npcflag` int unsigned NOT NULL DEFAULT '0', `speed_walk` float NOT NULL DEFAULT '1',
  `speed_run` float NOT NULL DEFAULT '1.14286', `speed_swim` float NOT NULL DEFAULT '1', `detection_range` float NOT NULL DEFAULT '20',
  `rank` tinyint unsigned NOT NULL DEFAULT '0', `DamageModifier` double NOT NULL DEFAULT '1', `BaseAttackTime` int unsigned NOT NULL DEFAULT '0',
  `BaseVariance` float NOT NULL DEFAULT '1', `unit_class` tinyint unsigned NOT NULL DEFAULT '0', `unit_flags` int unsigned NOT NULL DEFAULT '0',
  `family` tinyint NOT NULL DEFAULT '0', `type` tinyint unsigned NOT NULL DEFAULT '0', `mingold` int unsigned NOT NULL DEFAULT '0',
  `maxgold` int unsigned NOT NULL DEFAULT '0', `HealthModifier` double NOT NULL DEFAULT '1', `ManaModifier` float NOT NULL DEFAULT '1',
  `ArmorModifier` float NOT NULL DEFAULT '1', `ExperienceModifier` float NOT NULL DEFAULT '1', `CreatureImmunitiesId` int NOT NULL DEFAULT '0',
  `flags_extra` int unsigned NOT NULL DEFAULT '0', `gossip_menu_id` int unsigned NOT NULL DEFAULT '0', `AIName` char(64) NOT NULL DEFAULT '',
  PRIMARY KEY (`entry`));
CREATE TABLE `creature_template_model` (
  `CreatureID` int unsigned NOT NULL, `Idx` smallint unsigned NOT NULL DEFAULT '0', `CreatureDisplayID` int unsigned NOT NULL,
  `DisplayScale` float NOT NULL DEFAULT '1', `Probability` float NOT NULL DEFAULT '0', PRIMARY KEY (`CreatureID`,`Idx`));
CREATE TABLE `creature_model_info` (
  `DisplayID` int unsigned NOT NULL DEFAULT '0', `BoundingRadius` float NOT NULL DEFAULT '0', `CombatReach` float NOT NULL DEFAULT '0',
  `Gender` tinyint unsigned NOT NULL DEFAULT '2', PRIMARY KEY (`DisplayID`));
CREATE TABLE `creature_classlevelstats` (
  `level` tinyint unsigned NOT NULL, `class` tinyint NOT NULL, `basehp0` int unsigned NOT NULL DEFAULT '1', `basehp1` int unsigned NOT NULL DEFAULT '1',
  `basehp2` int unsigned NOT NULL DEFAULT '1', `basemana` int unsigned NOT NULL DEFAULT '0', `basearmor` int unsigned NOT NULL DEFAULT '1',
  `attackpower` double NOT NULL DEFAULT '0', `damage_base` double NOT NULL DEFAULT '0', PRIMARY KEY (`level`,`class`));
CREATE TABLE `creature` (
  `guid` int unsigned NOT NULL AUTO_INCREMENT, `id1` int unsigned NOT NULL DEFAULT '0', `id2` int unsigned NOT NULL DEFAULT '0',
  `id3` int unsigned NOT NULL DEFAULT '0', `map` smallint unsigned NOT NULL DEFAULT '0', `spawnMask` tinyint unsigned NOT NULL DEFAULT '1',
  `phaseMask` int unsigned NOT NULL DEFAULT '1', `equipment_id` tinyint NOT NULL DEFAULT '0', `position_x` float NOT NULL DEFAULT '0', `position_y` float NOT NULL DEFAULT '0',
  `position_z` float NOT NULL DEFAULT '0', `orientation` float NOT NULL DEFAULT '0', `spawntimesecs` double NOT NULL DEFAULT '120',
  `wander_distance` float NOT NULL DEFAULT '0', `MovementType` tinyint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`guid`));
CREATE TABLE `creature_addon` (
  `guid` int unsigned NOT NULL DEFAULT '0', `path_id` int unsigned NOT NULL DEFAULT '0', `mount` int unsigned NOT NULL DEFAULT '0',
  `bytes1` int unsigned NOT NULL DEFAULT '0', `bytes2` int unsigned NOT NULL DEFAULT '0', `emote` int unsigned NOT NULL DEFAULT '0',
  `auras` text, PRIMARY KEY (`guid`));
CREATE TABLE `waypoint_data` (
  `id` int unsigned NOT NULL DEFAULT '0', `point` int unsigned NOT NULL DEFAULT '0', `position_x` float NOT NULL DEFAULT '0',
  `position_y` float NOT NULL DEFAULT '0', `position_z` float NOT NULL DEFAULT '0', `orientation` float DEFAULT NULL,
  `delay` int unsigned NOT NULL DEFAULT '0', `move_type` int NOT NULL DEFAULT '0', `action` int NOT NULL DEFAULT '0', PRIMARY KEY (`id`,`point`));
CREATE TABLE `creature_formations` (
  `leaderGUID` int unsigned NOT NULL DEFAULT '0', `memberGUID` int unsigned NOT NULL DEFAULT '0', `dist` float NOT NULL, `angle` double NOT NULL,
  `groupAI` int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`memberGUID`));
CREATE TABLE `pool_template` (`entry` int unsigned NOT NULL DEFAULT '0', `max_limit` int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`entry`));
CREATE TABLE `pool_creature` (
  `guid` int unsigned NOT NULL DEFAULT '0', `pool_entry` int unsigned NOT NULL DEFAULT '0', `chance` float NOT NULL DEFAULT '0', PRIMARY KEY (`guid`));
CREATE TABLE `pool_pool` (
  `pool_id` int unsigned NOT NULL DEFAULT '0', `mother_pool` int unsigned NOT NULL DEFAULT '0', `chance` float NOT NULL DEFAULT '0', PRIMARY KEY (`pool_id`));
CREATE TABLE `item_template` (
  `entry` int unsigned NOT NULL DEFAULT '0', `class` tinyint unsigned NOT NULL DEFAULT '0', `subclass` tinyint unsigned NOT NULL DEFAULT '0',
  `name` varchar(255) NOT NULL DEFAULT '', `displayid` int unsigned NOT NULL DEFAULT '0', `Quality` tinyint unsigned NOT NULL DEFAULT '0',
  `BuyCount` tinyint unsigned NOT NULL DEFAULT '1', `BuyPrice` bigint NOT NULL DEFAULT '0', `SellPrice` int unsigned NOT NULL DEFAULT '0',
  `InventoryType` tinyint unsigned NOT NULL DEFAULT '0', `AllowableClass` int NOT NULL DEFAULT '-1', `AllowableRace` int NOT NULL DEFAULT '-1',
  `ItemLevel` smallint unsigned NOT NULL DEFAULT '0', `RequiredLevel` tinyint unsigned NOT NULL DEFAULT '0', `stackable` int DEFAULT '1',
  `ContainerSlots` tinyint unsigned NOT NULL DEFAULT '0', `stat_type1` tinyint unsigned NOT NULL DEFAULT '0', `stat_value1` int NOT NULL DEFAULT '0',
  `stat_type2` tinyint unsigned NOT NULL DEFAULT '0', `stat_value2` int NOT NULL DEFAULT '0', `stat_type3` tinyint unsigned NOT NULL DEFAULT '0',
  `stat_value3` int NOT NULL DEFAULT '0', `stat_type4` tinyint unsigned NOT NULL DEFAULT '0', `stat_value4` int NOT NULL DEFAULT '0',
  `dmg_min1` float NOT NULL DEFAULT '0', `dmg_max1` float NOT NULL DEFAULT '0', `armor` smallint unsigned NOT NULL DEFAULT '0',
  `delay` smallint unsigned NOT NULL DEFAULT '1000', `bonding` tinyint unsigned NOT NULL DEFAULT '0', `block` int unsigned NOT NULL DEFAULT '0',
  `MaxDurability` smallint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`entry`));
CREATE TABLE `game_tele` (
  `id` int unsigned NOT NULL AUTO_INCREMENT, `position_x` float NOT NULL DEFAULT '0', `position_y` float NOT NULL DEFAULT '0',
  `position_z` float NOT NULL DEFAULT '0', `orientation` float NOT NULL DEFAULT '0', `map` smallint unsigned NOT NULL DEFAULT '0',
  `name` varchar(100) NOT NULL DEFAULT '', PRIMARY KEY (`id`));
CREATE TABLE `synthetic_world` (`id` tinyint unsigned NOT NULL, `seed` varchar(20) NOT NULL, `start` varchar(10) NOT NULL, PRIMARY KEY (`id`));
