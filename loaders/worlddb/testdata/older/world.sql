CREATE TABLE `creature_template` (
  `entry` mediumint(8) unsigned NOT NULL DEFAULT '0', `modelid1` mediumint(8) unsigned NOT NULL DEFAULT '0',
  `modelid2` mediumint(8) unsigned NOT NULL DEFAULT '0', `modelid3` mediumint(8) unsigned NOT NULL DEFAULT '0',
  `modelid4` mediumint(8) unsigned NOT NULL DEFAULT '0', `name` char(100) NOT NULL DEFAULT '0',
  `skinloot` mediumint(8) unsigned NOT NULL DEFAULT '0', `mechanic_immune_mask` int(10) unsigned NOT NULL DEFAULT '0',
  PRIMARY KEY (`entry`)) ENGINE=MyISAM DEFAULT CHARSET=latin1;
INSERT INTO `creature_template` (`name`, `entry`, `modelid4`) VALUES ('A Cat', 7, 44), ('B Cat', 8, 16777215), ('C Cat', 9, 16777216);
CREATE TABLE `creature` (`guid` int(10) unsigned NOT NULL, `id` mediumint(8) unsigned NOT NULL, `map` smallint(5) unsigned NOT NULL, PRIMARY KEY (`guid`));
INSERT INTO `creature` VALUES (1,7,0),(2,8,0),(3,9,0),(3,7,1);
CREATE TABLE `smart_scripts` (`entryorguid` int NOT NULL, `source_type` tinyint unsigned NOT NULL, `id` smallint unsigned NOT NULL, `link` smallint unsigned NOT NULL,
  `event_type` tinyint unsigned NOT NULL, `event_param1` int unsigned NOT NULL, `event_param2` int unsigned NOT NULL, `event_param3` int unsigned NOT NULL,
  `event_param4` int unsigned NOT NULL, `action_type` tinyint unsigned NOT NULL, `action_param1` int unsigned NOT NULL, `target_type` tinyint unsigned NOT NULL,
  PRIMARY KEY (`entryorguid`,`source_type`,`id`,`link`));
INSERT INTO `smart_scripts` VALUES (7,0,0,0,61,0,0,0,0,1,0,7);
CREATE TABLE `acore_string` (`entry` int unsigned NOT NULL, `content_default` text NOT NULL, PRIMARY KEY (`entry`));
