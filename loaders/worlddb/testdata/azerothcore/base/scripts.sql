CREATE TABLE `smart_scripts` (
  `entryorguid` int NOT NULL, `source_type` tinyint unsigned NOT NULL DEFAULT '0', `id` smallint unsigned NOT NULL DEFAULT '0',
  `link` smallint unsigned NOT NULL DEFAULT '0', `event_type` tinyint unsigned NOT NULL DEFAULT '0',
  `event_param1` int unsigned NOT NULL DEFAULT '0', `event_param2` int unsigned NOT NULL DEFAULT '0', `event_param3` int unsigned NOT NULL DEFAULT '0',
  `event_param4` int unsigned NOT NULL DEFAULT '0', `event_param5` int unsigned NOT NULL DEFAULT '0', `event_param6` int unsigned NOT NULL DEFAULT '0',
  `action_type` tinyint unsigned NOT NULL DEFAULT '0', `action_param1` int unsigned NOT NULL DEFAULT '0',
  `target_type` tinyint unsigned NOT NULL DEFAULT '0', `comment` text NOT NULL,
  PRIMARY KEY (`entryorguid`,`source_type`,`id`,`link`));
INSERT INTO `smart_scripts` VALUES
(100,0,0,0,0,1000,2000,3000,4000,0,0,11,55,2,'Pebble Cat - In Combat - Cast'),
(100,0,1,0,4,0,0,0,0,0,0,80,10000,1,'Pebble Cat - On Aggro - Run Script'),
(10000,9,0,0,0,0,0,0,0,0,0,1,0,1,'Pebble Cat - Script - Talk'),
(-3,0,0,0,0,1000,2000,3000,4000,0,0,11,55,1,'Slate Cat - In Combat - Cast');
CREATE TABLE `locale_of_cats` (`id` int NOT NULL, `text` text);
INSERT INTO `locale_of_cats` VALUES (1,'Katze'),(2,'chat');
CREATE TABLE `version` (`core_version` varchar(255) NOT NULL DEFAULT '', `db_version` varchar(120) DEFAULT NULL);
INSERT INTO `version` VALUES ('cats','CATDB 1.2');
