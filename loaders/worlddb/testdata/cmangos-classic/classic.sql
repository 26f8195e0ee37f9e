CREATE TABLE `db_version` (`version` varchar(120) DEFAULT NULL, `required_1_1` bit(1) DEFAULT NULL);
INSERT INTO `db_version` VALUES ('Moss DB 1.0', b'1');
CREATE TABLE `creature` (`guid` int(10) unsigned NOT NULL AUTO_INCREMENT, `id` mediumint(8) unsigned NOT NULL DEFAULT '0', `map` smallint(5) unsigned NOT NULL DEFAULT '0',
  `spawnMask` tinyint(3) unsigned NOT NULL DEFAULT '1', `position_x` decimal(40,20) NOT NULL DEFAULT '0.00000000000000000000', `spawntimesecsmin` int(10) unsigned NOT NULL DEFAULT '120',
  `spawntimesecsmax` int(10) unsigned NOT NULL DEFAULT '120', `MovementType` tinyint(3) unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`guid`));
INSERT INTO `creature` VALUES
-- a comment for each of them
(21, 600, 0, 1, -8949.95019531250000000000, 120, 180, 2),
-- and another
(22, 0, 0, 1, 12.00000000000000000000, 120, 120, 0);
CREATE TABLE `creature_spawn_entry` (`guid` int(10) unsigned NOT NULL, `entry` mediumint(8) unsigned NOT NULL, PRIMARY KEY (`guid`,`entry`));
INSERT INTO `creature_spawn_entry` VALUES (22,600),(22,601);
CREATE TABLE `creature_template` (`Entry` mediumint(8) unsigned NOT NULL DEFAULT '0', `Name` char(100) NOT NULL DEFAULT '0', `DisplayId1` mediumint(8) unsigned NOT NULL DEFAULT '0',
  `HealthMultiplier` float NOT NULL DEFAULT '1', `LootId` mediumint(8) unsigned NOT NULL DEFAULT '0', `MechanicImmuneMask` int(10) unsigned NOT NULL DEFAULT '0', `AIName` char(64) NOT NULL DEFAULT '', PRIMARY KEY (`Entry`));
INSERT INTO `creature_template` VALUES (600,'Moss Cat',9,1.5,600,0,'EventAI');
CREATE TABLE `creature_movement` (`Id` int(10) unsigned NOT NULL, `Point` mediumint(8) unsigned NOT NULL DEFAULT '0', `PositionX` float NOT NULL DEFAULT '0', `WaitTime` int(10) unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`Id`,`Point`));
INSERT INTO `creature_movement` (`Point`, `Id`) VALUES (1,21),(2,21),(1,29);
CREATE TABLE `creature_ai_scripts` (`id` int(10) unsigned NOT NULL AUTO_INCREMENT, `creature_id` int(11) NOT NULL DEFAULT '0', `event_type` tinyint(3) unsigned NOT NULL DEFAULT '0',
  `action1_type` tinyint(3) unsigned NOT NULL DEFAULT '0', `action2_type` tinyint(3) unsigned NOT NULL DEFAULT '0', `action3_type` tinyint(3) unsigned NOT NULL DEFAULT '0', `comment` varchar(255) NOT NULL DEFAULT '', PRIMARY KEY (`id`));
INSERT INTO `creature_ai_scripts` VALUES (60001,600,0,11,0,0,'Moss Cat - Cast'),(60002,600,4,1,11,0,'Moss Cat - Say');
CREATE TABLE `creature_loot_template` (`entry` mediumint(8) unsigned NOT NULL DEFAULT '0', `item` mediumint(8) unsigned NOT NULL DEFAULT '0', `ChanceOrQuestChance` float NOT NULL DEFAULT '100',
  `groupid` tinyint(3) unsigned NOT NULL DEFAULT '0', `mincountOrRef` mediumint(9) NOT NULL DEFAULT '1', `maxcount` tinyint(3) unsigned NOT NULL DEFAULT '1', PRIMARY KEY (`entry`,`item`));
INSERT INTO `creature_loot_template` VALUES (600,1,50,0,1,1),(600,24000,100,0,-24000,1),(600,24001,100,0,-24001,1);
CREATE TABLE `reference_loot_template` (`entry` mediumint(8) unsigned NOT NULL DEFAULT '0', `item` mediumint(8) unsigned NOT NULL DEFAULT '0', `mincountOrRef` mediumint(9) NOT NULL DEFAULT '1', PRIMARY KEY (`entry`,`item`));
INSERT INTO `reference_loot_template` VALUES (24000,1,1);
