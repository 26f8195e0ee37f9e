CREATE TABLE `creature` (`guid` int(10) unsigned NOT NULL AUTO_INCREMENT, `id` mediumint(8) unsigned NOT NULL DEFAULT '0', `phaseMask` smallint(5) unsigned NOT NULL DEFAULT '1', `spawntimesecsmin` int(10) unsigned NOT NULL DEFAULT '120', PRIMARY KEY (`guid`));
INSERT INTO `creature` VALUES (31,700,1,120);
CREATE TABLE `creature_template` (`Entry` mediumint(8) unsigned NOT NULL, `Name` char(100) NOT NULL DEFAULT '0', `DifficultyEntry1` mediumint(8) unsigned NOT NULL DEFAULT '0', `DisplayId1` mediumint(8) unsigned NOT NULL DEFAULT '0',
  `HealthMultiplier` float NOT NULL DEFAULT '1', `GossipMenuId` mediumint(8) unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`Entry`));
INSERT INTO `creature_template` VALUES (700,'Ice Cat',0,9,1.5,50);
CREATE TABLE `spawn_group` (`Id` int(11) NOT NULL, `Name` varchar(200) NOT NULL, PRIMARY KEY (`Id`));
INSERT INTO `spawn_group` VALUES (1,'Cats');
CREATE TABLE `spawn_group_spawn` (`Id` int(11) NOT NULL, `Guid` int(11) NOT NULL, `SlotId` tinyint(4) NOT NULL DEFAULT '-1', PRIMARY KEY (`Id`,`Guid`));
INSERT INTO `spawn_group_spawn` VALUES (1,31,-1),(2,31,0);
CREATE TABLE `waypoint_path` (`PathId` int(11) NOT NULL, `Point` mediumint(8) NOT NULL, `PositionX` float NOT NULL DEFAULT '0', PRIMARY KEY (`PathId`,`Point`));
INSERT INTO `waypoint_path` VALUES (1,1,0.5);
CREATE TABLE `mangos_string` (`entry` mediumint(8) unsigned NOT NULL, `content_default` text NOT NULL, PRIMARY KEY (`entry`));
