DROP TABLE IF EXISTS `creature`;
CREATE TABLE `creature` (`guid` int unsigned NOT NULL AUTO_INCREMENT, `id` int unsigned NOT NULL DEFAULT '0', `map` smallint unsigned NOT NULL DEFAULT '0',
  `StringId` varchar(64) DEFAULT NULL, `VerifiedBuild` int DEFAULT '0', PRIMARY KEY (`guid`));
INSERT INTO `creature` VALUES (11,500,0,NULL,NULL),(12,501,0,'x',12340);
CREATE TABLE `creature_template` (`entry` int unsigned NOT NULL DEFAULT '0', `modelid1` int unsigned NOT NULL DEFAULT '0', `name` char(100) NOT NULL DEFAULT '0',
  `scale` float NOT NULL DEFAULT '1', PRIMARY KEY (`entry`));
INSERT INTO `creature_template` VALUES (500,5,'Reed Cat',1);
CREATE TABLE `creature_addon` (`guid` int unsigned NOT NULL DEFAULT '0', `path_id` int unsigned NOT NULL DEFAULT '0', `auras` text, PRIMARY KEY (`guid`));
INSERT INTO `creature_addon` VALUES (11,110,''),(12,120,'1 2'),(13,0,NULL);
CREATE TABLE `waypoint_data` (`id` int unsigned NOT NULL DEFAULT '0', `point` int unsigned NOT NULL DEFAULT '0', `position_x` float NOT NULL DEFAULT '0', `orientation` float DEFAULT NULL,
  PRIMARY KEY (`id`,`point`));
INSERT INTO `waypoint_data` VALUES (110,1,0.25,NULL),(110,2,0.5,1.25);
CREATE TABLE `smart_scripts` (`entryorguid` bigint NOT NULL, `source_type` tinyint unsigned NOT NULL DEFAULT '0', `id` smallint unsigned NOT NULL DEFAULT '0', `link` smallint unsigned NOT NULL DEFAULT '0',
  `event_type` tinyint unsigned NOT NULL DEFAULT '0', `event_param1` int unsigned NOT NULL DEFAULT '0', `event_param5` int unsigned NOT NULL DEFAULT '0',
  `action_type` tinyint unsigned NOT NULL DEFAULT '0', `action_param1` int unsigned NOT NULL DEFAULT '0', `target_type` tinyint unsigned NOT NULL DEFAULT '0',
  PRIMARY KEY (`entryorguid`,`source_type`,`id`,`link`));
INSERT INTO `smart_scripts` VALUES (500,0,0,0,2,0,0,25,0,1),(-12,0,0,0,2,0,0,11,0,2),(-99,0,0,0,2,0,0,80,50000,1);
CREATE TABLE `trinity_string` (`entry` int unsigned NOT NULL, `content_default` text NOT NULL, PRIMARY KEY (`entry`));
CREATE TABLE `version` (`core_version` varchar(255) NOT NULL DEFAULT '', `db_version` varchar(120) DEFAULT NULL);
INSERT INTO `version` VALUES ('reeds','RDB 335.1');
