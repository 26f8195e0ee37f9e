-- The tables of scripts and texts of a world of AzerothCore, without rows.
CREATE TABLE `smart_scripts` (
  `entryorguid` int NOT NULL, `source_type` tinyint unsigned NOT NULL DEFAULT '0', `id` smallint unsigned NOT NULL DEFAULT '0',
  `link` smallint unsigned NOT NULL DEFAULT '0', `event_type` tinyint unsigned NOT NULL DEFAULT '0', `event_phase_mask` smallint unsigned NOT NULL DEFAULT '0',
  `event_chance` tinyint unsigned NOT NULL DEFAULT '100', `event_flags` smallint unsigned NOT NULL DEFAULT '0',
  `event_param1` int unsigned NOT NULL DEFAULT '0', `event_param2` int unsigned NOT NULL DEFAULT '0', `event_param3` int unsigned NOT NULL DEFAULT '0',
  `event_param4` int unsigned NOT NULL DEFAULT '0', `event_param5` int unsigned NOT NULL DEFAULT '0', `event_param6` int unsigned NOT NULL DEFAULT '0',
  `action_type` tinyint unsigned NOT NULL DEFAULT '0', `action_param1` int unsigned NOT NULL DEFAULT '0', `action_param2` int unsigned NOT NULL DEFAULT '0',
  `action_param3` int unsigned NOT NULL DEFAULT '0', `action_param4` int unsigned NOT NULL DEFAULT '0', `action_param5` int unsigned NOT NULL DEFAULT '0',
  `action_param6` int unsigned NOT NULL DEFAULT '0', `target_type` tinyint unsigned NOT NULL DEFAULT '0', `target_param1` int unsigned NOT NULL DEFAULT '0',
  `target_param2` int unsigned NOT NULL DEFAULT '0', `target_param3` int unsigned NOT NULL DEFAULT '0', `target_param4` int unsigned NOT NULL DEFAULT '0',
  `target_x` float NOT NULL DEFAULT '0', `target_y` float NOT NULL DEFAULT '0', `target_z` float NOT NULL DEFAULT '0', `target_o` float NOT NULL DEFAULT '0',
  `comment` text NOT NULL, PRIMARY KEY (`entryorguid`,`source_type`,`id`,`link`));
CREATE TABLE `creature_text` (
  `CreatureID` int unsigned NOT NULL DEFAULT '0', `GroupID` tinyint unsigned NOT NULL DEFAULT '0', `ID` tinyint unsigned NOT NULL DEFAULT '0',
  `Text` longtext, `Type` tinyint unsigned NOT NULL DEFAULT '0', `Language` tinyint NOT NULL DEFAULT '0', `Probability` float NOT NULL DEFAULT '0',
  `Emote` int unsigned NOT NULL DEFAULT '0', `Duration` int unsigned NOT NULL DEFAULT '0', `Sound` int unsigned NOT NULL DEFAULT '0',
  `BroadcastTextId` int NOT NULL DEFAULT '0', `TextRange` tinyint unsigned NOT NULL DEFAULT '0', `comment` varchar(255) DEFAULT '',
  PRIMARY KEY (`CreatureID`,`GroupID`,`ID`));
CREATE TABLE `broadcast_text` (`ID` int unsigned NOT NULL DEFAULT '0', `MaleText` longtext, `FemaleText` longtext, PRIMARY KEY (`ID`));
