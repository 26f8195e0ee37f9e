-- The tables of game objects of AzerothCore that are executed, without rows.
CREATE TABLE `gameobject_template` (
  `entry` int unsigned NOT NULL DEFAULT '0', `type` tinyint unsigned NOT NULL DEFAULT '0', `displayId` int unsigned NOT NULL DEFAULT '0',
  `name` varchar(100) NOT NULL DEFAULT '', `IconName` varchar(100) NOT NULL DEFAULT '', `castBarCaption` varchar(100) NOT NULL DEFAULT '',
  `unk1` varchar(100) NOT NULL DEFAULT '', `size` float NOT NULL DEFAULT '1', `Data0` int unsigned NOT NULL DEFAULT '0',
  `Data1` int NOT NULL DEFAULT '0', `Data2` int unsigned NOT NULL DEFAULT '0', `Data3` int unsigned NOT NULL DEFAULT '0',
  `Data23` int unsigned NOT NULL DEFAULT '0', `AIName` char(64) NOT NULL DEFAULT '', PRIMARY KEY (`entry`));
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
CREATE TABLE `pool_gameobject` (
  `guid` int unsigned NOT NULL DEFAULT '0', `pool_entry` int unsigned NOT NULL DEFAULT '0', `chance` float NOT NULL DEFAULT '0', PRIMARY KEY (`guid`));
CREATE TABLE `game_event_gameobject` (`eventEntry` tinyint NOT NULL, `guid` int unsigned NOT NULL, PRIMARY KEY (`guid`,`eventEntry`));
