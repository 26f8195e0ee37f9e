-- A few rows of each kind that the synthetic world has none of, around the first place where characters begin.
CREATE TABLE `npc_vendor` (
  `entry` int unsigned NOT NULL DEFAULT '0', `slot` smallint NOT NULL DEFAULT '0', `item` int NOT NULL DEFAULT '0',
  `maxcount` tinyint unsigned NOT NULL DEFAULT '0', `incrtime` int unsigned NOT NULL DEFAULT '0', `ExtendedCost` int unsigned NOT NULL DEFAULT '0',
  PRIMARY KEY (`entry`,`item`,`ExtendedCost`));
CREATE TABLE `creature_template_addon` (
  `entry` int unsigned NOT NULL DEFAULT '0', `path_id` int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`entry`));
CREATE TABLE `game_event` (
  `eventEntry` tinyint unsigned NOT NULL, `start_time` timestamp NULL DEFAULT NULL, `end_time` timestamp NULL DEFAULT NULL,
  `occurence` bigint unsigned NOT NULL DEFAULT '5184000', `length` bigint unsigned NOT NULL DEFAULT '2592000', `holiday` int unsigned NOT NULL DEFAULT '0',
  `description` varchar(255) DEFAULT NULL, `world_event` tinyint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`eventEntry`));
CREATE TABLE `game_event_creature` (`eventEntry` tinyint NOT NULL, `guid` int unsigned NOT NULL, PRIMARY KEY (`guid`,`eventEntry`));
CREATE TABLE `gameobject_template` (
  `entry` int unsigned NOT NULL DEFAULT '0', `type` tinyint unsigned NOT NULL DEFAULT '0', `displayId` int unsigned NOT NULL DEFAULT '0',
  `name` varchar(100) NOT NULL DEFAULT '', `IconName` varchar(100) NOT NULL DEFAULT '', `castBarCaption` varchar(100) NOT NULL DEFAULT '',
  `size` float NOT NULL DEFAULT '1', `Data0` int unsigned NOT NULL DEFAULT '0', `Data1` int NOT NULL DEFAULT '0', `Data2` int unsigned NOT NULL DEFAULT '0',
  `Data3` int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`entry`));
CREATE TABLE `gameobject_template_addon` (
  `entry` int unsigned NOT NULL DEFAULT '0', `faction` smallint unsigned NOT NULL DEFAULT '0', `flags` int unsigned NOT NULL DEFAULT '0',
  `mingold` int unsigned NOT NULL DEFAULT '0', `maxgold` int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`entry`));
CREATE TABLE `gameobject` (
  `guid` int unsigned NOT NULL AUTO_INCREMENT, `id` int unsigned NOT NULL DEFAULT '0', `map` smallint unsigned NOT NULL DEFAULT '0',
  `spawnMask` tinyint unsigned NOT NULL DEFAULT '1', `phaseMask` int unsigned NOT NULL DEFAULT '1', `position_x` float NOT NULL DEFAULT '0',
  `position_y` float NOT NULL DEFAULT '0', `position_z` float NOT NULL DEFAULT '0', `orientation` float NOT NULL DEFAULT '0',
  `rotation0` float NOT NULL DEFAULT '0', `rotation1` float NOT NULL DEFAULT '0', `rotation2` float NOT NULL DEFAULT '0',
  `rotation3` float NOT NULL DEFAULT '0', `spawntimesecs` int NOT NULL DEFAULT '0', `animprogress` tinyint unsigned NOT NULL DEFAULT '0',
  `state` tinyint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`guid`));
CREATE TABLE `gameobject_addon` (
  `guid` int unsigned NOT NULL DEFAULT '0', `parent_rotation0` float NOT NULL DEFAULT '0', `parent_rotation1` float NOT NULL DEFAULT '0',
  `parent_rotation2` float NOT NULL DEFAULT '0', `parent_rotation3` float NOT NULL DEFAULT '1', PRIMARY KEY (`guid`));
CREATE TABLE `playercreateinfo` (
  `race` tinyint unsigned NOT NULL DEFAULT '0', `class` tinyint unsigned NOT NULL DEFAULT '0', `map` smallint unsigned NOT NULL DEFAULT '0',
  `zone` int unsigned NOT NULL DEFAULT '0', `position_x` float NOT NULL DEFAULT '0', `position_y` float NOT NULL DEFAULT '0',
  `position_z` float NOT NULL DEFAULT '0', `orientation` float NOT NULL DEFAULT '0', PRIMARY KEY (`race`,`class`));
SET @level := 40, @trader := 900001, @walker := 900002, @reveller := 900003, @guid := 16000000;
INSERT INTO `creature_template` (`entry`, `name`, `subname`, `minlevel`, `maxlevel`, `faction`, `npcflag`, `unit_class`, `type`, `BaseAttackTime`) VALUES
(@trader, 'Sample Trader', 'General Goods', 10, 10, 35, 128, 1, 7, 2000),
(@walker, 'Sample Walker', NULL, 2, 3, 7, 0, 1, 1, 2000),
(@reveller, 'Sample Reveller', NULL, 5, 5, 35, 0, 1, 7, 2000);
INSERT INTO `creature_template_model` VALUES (@trader, 0, 1, 1, 1), (@walker, 0, 9, 1, 1), (@reveller, 0, 2, 1, 1);
INSERT INTO `creature` (`guid`, `id1`, `map`, `position_x`, `position_y`, `position_z`, `orientation`, `spawntimesecs`, `MovementType`) VALUES
(@guid + 1, @trader, 0, 12, 12, @level, 3, 60, 0), (@guid + 2, @walker, 0, 30, 15, @level, 0, 60, 2), (@guid + 3, @reveller, 0, 12, -12, @level, 3, 60, 0);
INSERT INTO `creature_template_addon` VALUES (@walker, 900002);
INSERT INTO `waypoint_data` (`id`, `point`, `position_x`, `position_y`, `position_z`, `delay`) VALUES
(900002, 1, 30, 15, @level, 0), (900002, 2, 45, 15, @level, 1000), (900002, 3, 45, 30, @level, 0);
INSERT INTO `npc_vendor` (`entry`, `slot`, `item`, `maxcount`, `incrtime`) VALUES (@trader, 0, 100001, 0, 0), (@trader, 1, 100002, 5, 60);
INSERT INTO `game_event` (`eventEntry`, `start_time`, `end_time`, `occurence`, `length`, `description`, `world_event`) VALUES
(1, '2026-01-01 00:00:00', NULL, 1440, 720, 'Sample Half Days', 0), (2, NULL, NULL, 0, 60, 'Sample Occasion', 5);
INSERT INTO `game_event_creature` VALUES (1, @guid + 3);
INSERT INTO `gameobject_template` (`entry`, `type`, `displayId`, `name`, `Data0`, `Data1`, `Data2`, `Data3`) VALUES
(900001, 0, 1, 'Sample Door', 0, 0, 3000, 0), (900002, 3, 2, 'Sample Chest', 0, 0, 60, 1), (900003, 7, 3, 'Sample Chair', 1, 1, 0, 0),
(900004, 1, 4, 'Sample Button', 0, 0, 3000, 0);
INSERT INTO `gameobject_template_addon` (`entry`, `mingold`, `maxgold`) VALUES (900002, 5, 20);
INSERT INTO `gameobject` (`guid`, `id`, `map`, `position_x`, `position_y`, `position_z`, `rotation3`, `spawntimesecs`, `animprogress`, `state`) VALUES
(1, 900001, 0, -12, 12, @level, 1, 60, 100, 1), (2, 900002, 0, -12, -12, @level, 1, 60, 100, 1), (3, 900003, 0, -14, 0, @level, 1, 60, 100, 1),
(4, 900004, 0, -12, 15, @level, 1, 60, 100, 1);
INSERT INTO `gameobject_addon` VALUES (1, 0, 0, 0, 1);
INSERT INTO `playercreateinfo` VALUES (1, 1, 0, 1, 5, 5, @level, 0);
INSERT INTO `game_tele` VALUES (100, 0, 0, @level, 0, 0, 'SampleSquare');
