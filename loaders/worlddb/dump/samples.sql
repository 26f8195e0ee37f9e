-- A few rows of each kind that the synthetic world has none of, around the first place where characters begin.
CREATE TABLE `npc_vendor` (
  `entry` int unsigned NOT NULL DEFAULT '0', `slot` smallint NOT NULL DEFAULT '0', `item` int NOT NULL DEFAULT '0',
  `maxcount` tinyint unsigned NOT NULL DEFAULT '0', `incrtime` int unsigned NOT NULL DEFAULT '0', `ExtendedCost` int unsigned NOT NULL DEFAULT '0',
  PRIMARY KEY (`entry`,`item`,`ExtendedCost`));
CREATE TABLE `creature_template_addon` (
  `entry` int unsigned NOT NULL DEFAULT '0', `path_id` int unsigned NOT NULL DEFAULT '0', `mount` int unsigned NOT NULL DEFAULT '0',
  `bytes1` int unsigned NOT NULL DEFAULT '0', `bytes2` int unsigned NOT NULL DEFAULT '0', `emote` int unsigned NOT NULL DEFAULT '0',
  `auras` text, PRIMARY KEY (`entry`));
CREATE TABLE `creature_equip_template` (
  `CreatureID` int unsigned NOT NULL DEFAULT '0', `ID` tinyint unsigned NOT NULL DEFAULT '1', `ItemID1` int unsigned NOT NULL DEFAULT '0',
  `ItemID2` int unsigned NOT NULL DEFAULT '0', `ItemID3` int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`CreatureID`,`ID`));
CREATE TABLE `factiontemplate_dbc` (
  `ID` int NOT NULL DEFAULT '0', `FriendGroup` int NOT NULL DEFAULT '0', `EnemyGroup` int NOT NULL DEFAULT '0', PRIMARY KEY (`ID`));
CREATE TABLE `gossip_menu` (
  `MenuID` int unsigned NOT NULL DEFAULT '0', `TextID` int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`MenuID`,`TextID`));
CREATE TABLE `gossip_menu_option` (
  `MenuID` int unsigned NOT NULL DEFAULT '0', `OptionID` smallint unsigned NOT NULL DEFAULT '0', `OptionIcon` int unsigned NOT NULL DEFAULT '0',
  `OptionText` text, `OptionBroadcastTextID` int NOT NULL DEFAULT '0', `OptionType` tinyint unsigned NOT NULL DEFAULT '0',
  `OptionNpcFlag` int unsigned NOT NULL DEFAULT '0', `ActionMenuID` int unsigned NOT NULL DEFAULT '0', `ActionPoiID` int unsigned NOT NULL DEFAULT '0',
  `BoxCoded` tinyint unsigned NOT NULL DEFAULT '0', `BoxMoney` int unsigned NOT NULL DEFAULT '0', `BoxText` text,
  `BoxBroadcastTextID` int NOT NULL DEFAULT '0', PRIMARY KEY (`MenuID`,`OptionID`));
CREATE TABLE `npc_text` (
  `ID` int unsigned NOT NULL DEFAULT '0', `text0_0` longtext, `text0_1` longtext, `BroadcastTextID0` int NOT NULL DEFAULT '0',
  `lang0` tinyint unsigned NOT NULL DEFAULT '0', `Probability0` float NOT NULL DEFAULT '0', `em0_0` smallint unsigned NOT NULL DEFAULT '0',
  `em0_1` smallint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`ID`));
CREATE TABLE `broadcast_text` (
  `ID` int unsigned NOT NULL DEFAULT '0', `LanguageID` int unsigned NOT NULL DEFAULT '0', `MaleText` longtext, `FemaleText` longtext, PRIMARY KEY (`ID`));
CREATE TABLE `points_of_interest` (
  `ID` int unsigned NOT NULL DEFAULT '0', `PositionX` float NOT NULL DEFAULT '0', `PositionY` float NOT NULL DEFAULT '0',
  `Icon` int unsigned NOT NULL DEFAULT '0', `Flags` int unsigned NOT NULL DEFAULT '0', `Importance` int unsigned NOT NULL DEFAULT '0',
  `Name` text NOT NULL, PRIMARY KEY (`ID`));
CREATE TABLE `trainer` (
  `Id` int unsigned NOT NULL DEFAULT '0', `Type` tinyint unsigned NOT NULL DEFAULT '2', `Requirement` int unsigned NOT NULL DEFAULT '0',
  `Greeting` text, PRIMARY KEY (`Id`));
CREATE TABLE `trainer_spell` (
  `TrainerId` int unsigned NOT NULL DEFAULT '0', `SpellId` int unsigned NOT NULL DEFAULT '0', `MoneyCost` int unsigned NOT NULL DEFAULT '0',
  `ReqLevel` tinyint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`TrainerId`,`SpellId`));
CREATE TABLE `creature_default_trainer` (`CreatureId` int unsigned NOT NULL, `TrainerId` int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`CreatureId`));
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
CREATE TABLE `conditions` (
  `SourceTypeOrReferenceId` int NOT NULL DEFAULT '0', `SourceGroup` int unsigned NOT NULL DEFAULT '0', `SourceEntry` int NOT NULL DEFAULT '0',
  `SourceId` int NOT NULL DEFAULT '0', `ElseGroup` int unsigned NOT NULL DEFAULT '0', `ConditionTypeOrReference` int NOT NULL DEFAULT '0',
  `ConditionTarget` tinyint unsigned NOT NULL DEFAULT '0', `ConditionValue1` int unsigned NOT NULL DEFAULT '0', `ConditionValue2` int unsigned NOT NULL DEFAULT '0',
  `ConditionValue3` int unsigned NOT NULL DEFAULT '0', `NegativeCondition` tinyint unsigned NOT NULL DEFAULT '0', `ErrorType` int unsigned NOT NULL DEFAULT '0',
  `ErrorTextId` int unsigned NOT NULL DEFAULT '0', `ScriptName` char(64) NOT NULL DEFAULT '', `Comment` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`SourceTypeOrReferenceId`,`SourceGroup`,`SourceEntry`,`SourceId`,`ElseGroup`,`ConditionTypeOrReference`,`ConditionTarget`,`ConditionValue1`,`ConditionValue2`,`ConditionValue3`));
CREATE TABLE `waypoints` (
  `entry` int unsigned NOT NULL DEFAULT '0', `pointid` int unsigned NOT NULL DEFAULT '0', `position_x` float NOT NULL DEFAULT '0',
  `position_y` float NOT NULL DEFAULT '0', `position_z` float NOT NULL DEFAULT '0', `orientation` float DEFAULT NULL, `delay` int unsigned NOT NULL DEFAULT '0',
  `point_comment` text, PRIMARY KEY (`entry`,`pointid`));
CREATE TABLE `game_event` (
  `eventEntry` tinyint unsigned NOT NULL, `start_time` timestamp NULL DEFAULT NULL, `end_time` timestamp NULL DEFAULT NULL,
  `occurence` bigint unsigned NOT NULL DEFAULT '5184000', `length` bigint unsigned NOT NULL DEFAULT '2592000', `holiday` int unsigned NOT NULL DEFAULT '0',
  `description` varchar(255) DEFAULT NULL, `world_event` tinyint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`eventEntry`));
CREATE TABLE `game_event_creature` (`eventEntry` tinyint NOT NULL, `guid` int unsigned NOT NULL, PRIMARY KEY (`guid`,`eventEntry`));
CREATE TABLE `game_event_gameobject` (`eventEntry` tinyint NOT NULL, `guid` int unsigned NOT NULL, PRIMARY KEY (`guid`,`eventEntry`));
CREATE TABLE `game_event_prerequisite` (`eventEntry` tinyint unsigned NOT NULL, `prerequisite_event` int unsigned NOT NULL, PRIMARY KEY (`eventEntry`,`prerequisite_event`));
CREATE TABLE `game_event_condition` (`eventEntry` tinyint unsigned NOT NULL, `condition_id` int unsigned NOT NULL, `req_num` float DEFAULT '0', PRIMARY KEY (`eventEntry`,`condition_id`));
CREATE TABLE `game_event_npcflag` (`eventEntry` tinyint unsigned NOT NULL, `guid` int unsigned NOT NULL, `npcflag` int unsigned NOT NULL, PRIMARY KEY (`guid`,`eventEntry`));
CREATE TABLE `game_event_model_equip` (`eventEntry` tinyint NOT NULL, `guid` int unsigned NOT NULL, `modelid` int unsigned NOT NULL, `equipment_id` tinyint unsigned NOT NULL, PRIMARY KEY (`guid`));
CREATE TABLE `game_event_npc_vendor` (`eventEntry` tinyint NOT NULL, `guid` int unsigned NOT NULL, `slot` smallint NOT NULL DEFAULT '0', `item` int unsigned NOT NULL, `maxcount` int unsigned NOT NULL DEFAULT '0',
  `incrtime` int unsigned NOT NULL DEFAULT '0', `ExtendedCost` int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`guid`,`item`));
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
ALTER TABLE `creature_template` ADD COLUMN `lootid` int unsigned NOT NULL DEFAULT '0';
CREATE TABLE `creature_loot_template` (
  `Entry` int unsigned NOT NULL DEFAULT '0', `Item` int unsigned NOT NULL DEFAULT '0', `Reference` int NOT NULL DEFAULT '0', `Chance` float NOT NULL DEFAULT '100',
  `QuestRequired` tinyint NOT NULL DEFAULT '0', `LootMode` smallint unsigned NOT NULL DEFAULT '1', `GroupId` tinyint unsigned NOT NULL DEFAULT '0',
  `MinCount` tinyint unsigned NOT NULL DEFAULT '1', `MaxCount` tinyint unsigned NOT NULL DEFAULT '1', PRIMARY KEY (`Entry`,`Item`,`Reference`,`GroupId`));
CREATE TABLE `gameobject_loot_template` (
  `Entry` int unsigned NOT NULL DEFAULT '0', `Item` int unsigned NOT NULL DEFAULT '0', `Reference` int NOT NULL DEFAULT '0', `Chance` float NOT NULL DEFAULT '100',
  `QuestRequired` tinyint NOT NULL DEFAULT '0', `LootMode` smallint unsigned NOT NULL DEFAULT '1', `GroupId` tinyint unsigned NOT NULL DEFAULT '0',
  `MinCount` tinyint unsigned NOT NULL DEFAULT '1', `MaxCount` tinyint unsigned NOT NULL DEFAULT '1', PRIMARY KEY (`Entry`,`Item`,`Reference`,`GroupId`));
CREATE TABLE `reference_loot_template` (
  `Entry` int unsigned NOT NULL DEFAULT '0', `Item` int unsigned NOT NULL DEFAULT '0', `Reference` int NOT NULL DEFAULT '0', `Chance` float NOT NULL DEFAULT '100',
  `QuestRequired` tinyint NOT NULL DEFAULT '0', `LootMode` smallint unsigned NOT NULL DEFAULT '1', `GroupId` tinyint unsigned NOT NULL DEFAULT '0',
  `MinCount` tinyint unsigned NOT NULL DEFAULT '1', `MaxCount` tinyint unsigned NOT NULL DEFAULT '1', PRIMARY KEY (`Entry`,`Item`,`Reference`,`GroupId`));
CREATE TABLE `areatrigger` (
  `entry` int unsigned NOT NULL, `map` int unsigned NOT NULL DEFAULT '0', `x` float NOT NULL DEFAULT '0', `y` float NOT NULL DEFAULT '0', `z` float NOT NULL DEFAULT '0',
  `radius` float NOT NULL DEFAULT '0', `length` float NOT NULL DEFAULT '0', `width` float NOT NULL DEFAULT '0', `height` float NOT NULL DEFAULT '0',
  `orientation` float NOT NULL DEFAULT '0', PRIMARY KEY (`entry`));
CREATE TABLE `areatrigger_teleport` (
  `ID` int unsigned NOT NULL, `Name` text, `target_map` smallint unsigned NOT NULL DEFAULT '0', `target_position_x` float NOT NULL DEFAULT '0',
  `target_position_y` float NOT NULL DEFAULT '0', `target_position_z` float NOT NULL DEFAULT '0', `target_orientation` float NOT NULL DEFAULT '0', PRIMARY KEY (`ID`));
CREATE TABLE `instance_template` (`map` smallint unsigned NOT NULL, `parent` smallint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`map`));
CREATE TABLE `game_graveyard` (
  `ID` int NOT NULL DEFAULT '0', `Map` int NOT NULL DEFAULT '0', `x` float NOT NULL DEFAULT '0', `y` float NOT NULL DEFAULT '0', `z` float NOT NULL DEFAULT '0',
  `Comment` text, PRIMARY KEY (`ID`));
CREATE TABLE `graveyard_zone` (`ID` int NOT NULL DEFAULT '0', `GhostZone` int NOT NULL DEFAULT '0', `Faction` smallint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`ID`,`GhostZone`));
CREATE TABLE `playercreateinfo_item` (
  `race` tinyint unsigned NOT NULL DEFAULT '0', `class` tinyint unsigned NOT NULL DEFAULT '0', `itemid` int unsigned NOT NULL DEFAULT '0',
  `amount` int NOT NULL DEFAULT '1', PRIMARY KEY (`race`,`class`,`itemid`));
CREATE TABLE `player_xp_for_level` (`Level` tinyint unsigned NOT NULL, `Experience` int unsigned NOT NULL, PRIMARY KEY (`Level`));
CREATE TABLE `player_class_stats` (
  `Class` tinyint unsigned NOT NULL, `Level` tinyint unsigned NOT NULL, `BaseHP` int NOT NULL DEFAULT '0', `BaseMana` int NOT NULL DEFAULT '0',
  `Strength` int NOT NULL DEFAULT '0', `Agility` int NOT NULL DEFAULT '0', `Stamina` int NOT NULL DEFAULT '0', `Intellect` int NOT NULL DEFAULT '0',
  `Spirit` int NOT NULL DEFAULT '0', PRIMARY KEY (`Class`,`Level`));
CREATE TABLE `player_race_stats` (
  `Race` tinyint unsigned NOT NULL, `Strength` int NOT NULL DEFAULT '0', `Agility` int NOT NULL DEFAULT '0', `Stamina` int NOT NULL DEFAULT '0',
  `Intellect` int NOT NULL DEFAULT '0', `Spirit` int NOT NULL DEFAULT '0', PRIMARY KEY (`Race`));
SET @level := 40, @trader := 900001, @walker := 900002, @reveller := 900003, @guid := 16000000;
INSERT INTO `creature_template` (`entry`, `name`, `subname`, `minlevel`, `maxlevel`, `faction`, `npcflag`, `unit_class`, `type`, `BaseAttackTime`, `gossip_menu_id`, `AIName`) VALUES
(@trader, 'Sample Trader', 'General Goods', 10, 10, 35, 145, 1, 7, 2000, 900001, ''), (@walker, 'Sample Walker', NULL, 2, 3, 7, 0, 1, 1, 2000, 0, 'SmartAI'),
(@reveller, 'Sample Reveller', NULL, 5, 5, 60001, 0, 1, 7, 2000, 0, 'SmartAI');
INSERT INTO `factiontemplate_dbc` VALUES (60001, 1, 0);
INSERT INTO `creature_template_model` VALUES (@trader, 0, 1, 1, 1), (@walker, 0, 9, 1, 1), (@reveller, 0, 2, 1, 1);
INSERT INTO `creature` (`guid`, `id1`, `map`, `position_x`, `position_y`, `position_z`, `orientation`, `spawntimesecs`, `MovementType`, `equipment_id`) VALUES
(@guid + 1, @trader, 0, 12, 12, @level, 3, 60, 0, 1), (@guid + 2, @walker, 0, 30, 15, @level, 0, 60, 2, 0), (@guid + 3, @reveller, 0, 12, -12, @level, 3, 60, 0, 0);
INSERT INTO `creature_equip_template` VALUES (@trader, 1, 100001, 0, 0);
INSERT INTO `creature_template_addon` (`entry`, `path_id`) VALUES (@walker, 900002);
INSERT INTO `creature_addon` (`guid`, `bytes1`, `bytes2`, `emote`) VALUES (@guid + 3, 1, 1, 10);
INSERT INTO `waypoint_data` (`id`, `point`, `position_x`, `position_y`, `position_z`, `delay`, `move_type`) VALUES
(900002, 1, 30, 15, @level, 0, 0), (900002, 2, 45, 15, @level, 1000, 1), (900002, 3, 45, 30, @level, 0, 0);
INSERT INTO `npc_vendor` (`entry`, `slot`, `item`, `maxcount`, `incrtime`) VALUES (@trader, 0, 100001, 0, 0), (@trader, 1, 100002, 5, 60);
INSERT INTO `game_event` (`eventEntry`, `start_time`, `end_time`, `occurence`, `length`, `description`, `world_event`) VALUES
(1, '2026-01-01 00:00:00', NULL, 1440, 720, 'Sample Half Days', 0), (2, NULL, NULL, 0, 60, 'Sample Occasion', 5),
(3, NULL, NULL, 0, 60, 'Sample Rising', 1), (4, NULL, NULL, 0, 60, 'Sample Feast', 1);
INSERT INTO `game_event_creature` VALUES (1, @guid + 3);
INSERT INTO `game_event_gameobject` VALUES (2, 4);
INSERT INTO `game_event_prerequisite` VALUES (4, 3);
INSERT INTO `game_event_condition` VALUES (3, 1, 0);
INSERT INTO `game_event_npcflag` VALUES (2, @guid + 3, 1);
INSERT INTO `game_event_model_equip` VALUES (2, @guid + 3, 90001, 0);
INSERT INTO `game_event_npc_vendor` (`eventEntry`, `guid`, `item`) VALUES (2, @guid + 3, 100001);
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
INSERT INTO `gossip_menu` VALUES (900001, 900001), (900002, 900002);
INSERT INTO `gossip_menu_option` (`MenuID`, `OptionID`, `OptionIcon`, `OptionText`, `OptionBroadcastTextID`, `OptionType`, `OptionNpcFlag`, `ActionMenuID`, `ActionPoiID`) VALUES
(900001, 0, 0, 'Where are we?', 0, 1, 1, 900002, 900001), (900001, 1, 1, 'Show me your goods.', 0, 3, 128, 0, 0), (900001, 2, 3, '', 900002, 5, 16, 0, 0);
INSERT INTO `npc_text` (`ID`, `text0_0`, `text0_1`, `BroadcastTextID0`, `Probability0`, `em0_1`) VALUES
(900001, 'A fine day for samples.', '', 0, 1, 1), (900002, '', '', 900001, 1, 0);
INSERT INTO `broadcast_text` VALUES (900001, 0, 'At the first of places.', ''), (900002, 0, 'Teach me.', ''), (900003, 0, 'That was mine!', '');
INSERT INTO `points_of_interest` VALUES (900001, 0, 0, 7, 99, 0, 'Sample Square');
INSERT INTO `trainer` VALUES (900001, 0, 1, 'Stand straight.');
INSERT INTO `trainer_spell` VALUES (900001, 101012, 35, 4);
INSERT INTO `creature_default_trainer` VALUES (@trader, 900001);
INSERT INTO `creature_text` (`CreatureID`, `GroupID`, `ID`, `Text`, `Type`, `Probability`, `BroadcastTextId`) VALUES
(@walker, 0, 0, 'Grr.', 16, 100, 0), (@reveller, 0, 0, '', 12, 100, 900003);
INSERT INTO `smart_scripts` (`entryorguid`, `source_type`, `id`, `link`, `event_type`, `event_chance`, `event_param1`, `event_param2`, `event_param3`, `event_param4`,
  `action_type`, `action_param1`, `target_type`, `comment`) VALUES
(@walker, 0, 0, 1, 4, 100, 0, 0, 0, 0, 1, 0, 1, 'Sample Walker - On Aggro - Say Line 0'), (@walker, 0, 1, 0, 61, 100, 0, 0, 0, 0, 39, 10, 1, 'Sample Walker - On Link - Call For Help'),
(@reveller, 0, 0, 0, 1, 100, 5000, 5000, 20000, 30000, 80, 90000301, 1, 'Sample Reveller - Out Of Combat - Run Script'),
(90000301, 9, 0, 0, 0, 100, 0, 0, 0, 0, 5, 94, 1, 'Sample Reveller - On Script - Play Emote'), (90000301, 9, 1, 0, 0, 100, 2000, 2000, 0, 0, 1, 0, 1, 'Sample Reveller - On Script - Say Line 0'),
(@reveller, 0, 1, 0, 37, 100, 0, 0, 0, 0, 53, 1, 1, 'Sample Reveller - On Init - Start Path'),
(@reveller, 0, 2, 0, 40, 100, 2, 900003, 0, 0, 54, 3000, 1, 'Sample Reveller - On Point 2 Reached - Pause Path'),
(@reveller, 0, 3, 0, 55, 100, 0, 900003, 0, 0, 5, 1, 1, 'Sample Reveller - On Path Paused - Play Emote');
UPDATE `smart_scripts` SET `action_param2` = 900003, `action_param3` = 1, `action_param6` = 1 WHERE `entryorguid` = @reveller AND `id` = 1;
INSERT INTO `waypoints` (`entry`, `pointid`, `position_x`, `position_y`, `position_z`) VALUES
(900003, 1, 12, -12, @level), (900003, 2, 16, -12, @level), (900003, 3, 16, -8, @level);
INSERT INTO `gossip_menu_option` (`MenuID`, `OptionID`, `OptionIcon`, `OptionText`, `OptionType`, `OptionNpcFlag`, `ActionMenuID`) VALUES
(900001, 3, 0, 'I have seen much.', 1, 1, 900002);
INSERT INTO `conditions` (`SourceTypeOrReferenceId`, `SourceGroup`, `SourceEntry`, `SourceId`, `ElseGroup`, `ConditionTypeOrReference`, `ConditionTarget`, `ConditionValue1`, `ConditionValue2`, `NegativeCondition`) VALUES
(15, 900001, 3, 0, 0, 27, 0, 10, 3, 0), (15, 900001, 3, 0, 1, 15, 0, 1, 0, 1), (14, 900002, 900002, 0, 0, 36, 0, 0, 0, 0), (22, 4, @reveller, 0, 0, 36, 1, 0, 0, 0);
UPDATE `creature_template` SET `lootid` = 900002 WHERE `entry` = @walker;
UPDATE `gameobject_template` SET `Data1` = 900002 WHERE `entry` = 900002;
INSERT INTO `creature_loot_template` (`Entry`, `Item`, `Reference`, `Chance`, `GroupId`, `MinCount`, `MaxCount`) VALUES
(900002, 100001, 0, 60, 0, 1, 1), (900002, 100002, 0, 30, 1, 1, 3), (900002, 100003, 0, 0, 1, 1, 1), (900002, 900001, 900001, 50, 1, 1, 2);
INSERT INTO `gameobject_loot_template` (`Entry`, `Item`, `Chance`) VALUES (900002, 100001, 100);
INSERT INTO `reference_loot_template` (`Entry`, `Item`, `Chance`, `GroupId`) VALUES (900001, 100001, 0, 1), (900001, 100002, 0, 1);
INSERT INTO `conditions` (`SourceTypeOrReferenceId`, `SourceGroup`, `SourceEntry`, `ConditionTypeOrReference`, `ConditionValue1`, `ConditionValue2`) VALUES
(1, 900002, 100002, 27, 5, 3), (4, 900002, 100001, 15, 1535, 0), (10, 900001, 100002, 16, 1791, 0);
INSERT INTO `areatrigger` (`entry`, `map`, `x`, `y`, `z`, `radius`, `length`, `width`, `height`, `orientation`) VALUES (900001, 0, -30, -30, @level, 3, 0, 0, 0, 0), (900002, 3, 30, 0, 0, 0, 4, 4, 8, 1);
INSERT INTO `areatrigger_teleport` VALUES (900001, 'Sample Gate', 3, 20, 0, 0, 0), (900002, 'Sample Way Out', 0, -26, -30, @level, 0);
INSERT INTO `instance_template` (`map`) VALUES (3);
INSERT INTO `game_graveyard` VALUES (900001, 0, -40, 0, @level, 'Sample Graves');
INSERT INTO `graveyard_zone` VALUES (900001, 1, 0);
INSERT INTO `playercreateinfo_item` VALUES (1, 1, 100001, 1);
INSERT INTO `player_xp_for_level` VALUES (1, 400);
INSERT INTO `player_class_stats` VALUES (1, 1, 40, 0, 24, 20, 22, 17, 19);
INSERT INTO `player_race_stats` VALUES (1, 0, 0, 0, 0, 0), (6, 3, -4, 1, -4, 2);
CREATE TABLE `creature_template_resistance` (
  `CreatureID` int unsigned NOT NULL, `School` tinyint unsigned NOT NULL, `Resistance` smallint DEFAULT NULL, PRIMARY KEY (`CreatureID`,`School`));
INSERT INTO `creature_template_resistance` VALUES (@walker, 4, 25);
INSERT INTO `conditions` (`SourceTypeOrReferenceId`, `SourceGroup`, `SourceEntry`, `ConditionTypeOrReference`, `ConditionValue1`, `ConditionValue2`) VALUES
(1, 900002, 100001, -900001, 0, 0), (-900001, 0, 0, 26, 1, 0), (-900001, 0, 0, 27, 1, 3);
CREATE TABLE `creature_immunities` (
  `ID` int NOT NULL, `SchoolMask` tinyint NOT NULL DEFAULT '0', `DispelTypeMask` smallint NOT NULL DEFAULT '0', `MechanicsMask` bigint NOT NULL DEFAULT '0',
  `Effects` mediumtext, `Auras` mediumtext, `ImmuneAoE` tinyint NOT NULL DEFAULT '0', `ImmuneChain` tinyint NOT NULL DEFAULT '0', PRIMARY KEY (`ID`));
CREATE TABLE `creature_template_spell` (
  `CreatureID` int unsigned NOT NULL, `Index` tinyint unsigned NOT NULL DEFAULT '0', `Spell` int unsigned NOT NULL, PRIMARY KEY (`CreatureID`,`Index`));
CREATE TABLE `linked_respawn` (
  `guid` int unsigned NOT NULL, `linkedGuid` int unsigned NOT NULL, `linkType` tinyint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`guid`,`linkType`));
SET @brawler := 900004;
INSERT INTO `creature_template` (`entry`, `name`, `minlevel`, `maxlevel`, `faction`, `unit_class`, `type`, `BaseAttackTime`, `AIName`, `CreatureImmunitiesId`) VALUES
(@brawler, 'Sample Brawler', 5, 5, 7, 1, 7, 2000, 'CombatAI', 900001);
INSERT INTO `creature_template_model` VALUES (@brawler, 0, 2, 1, 1);
INSERT INTO `creature` (`guid`, `id1`, `map`, `position_x`, `position_y`, `position_z`, `spawntimesecs`) VALUES (@guid + 4, @brawler, 0, 30, -15, @level, 60);
INSERT INTO `creature_immunities` (`ID`, `SchoolMask`, `MechanicsMask`) VALUES (900001, 16, 4096);
INSERT INTO `creature_template_spell` VALUES (@brawler, 0, 100002);
INSERT INTO `creature_addon` (`guid`, `auras`) VALUES (@guid + 4, '101009');
INSERT INTO `linked_respawn` VALUES (@guid + 4, @guid + 2, 0), (@guid + 3, 2, 1), (1, 2, 2), (3, @guid + 1, 3);
INSERT INTO `conditions` (`SourceTypeOrReferenceId`, `SourceGroup`, `SourceEntry`, `ConditionTypeOrReference`, `ConditionValue1`, `ConditionValue2`) VALUES
(23, 900001, 100002, 27, 2, 3);
CREATE TABLE `waypoint_scripts` (
  `id` int unsigned NOT NULL DEFAULT '0', `delay` int unsigned NOT NULL DEFAULT '0', `command` int unsigned NOT NULL DEFAULT '0', `datalong` int unsigned NOT NULL DEFAULT '0',
  `datalong2` int unsigned NOT NULL DEFAULT '0', `dataint` int unsigned NOT NULL DEFAULT '0', `x` float NOT NULL DEFAULT '0', `y` float NOT NULL DEFAULT '0',
  `z` float NOT NULL DEFAULT '0', `o` float NOT NULL DEFAULT '0', `guid` int NOT NULL DEFAULT '0', PRIMARY KEY (`guid`));
CREATE TABLE `areatrigger_scripts` (`entry` int unsigned NOT NULL, `ScriptName` char(64) NOT NULL, PRIMARY KEY (`entry`));
CREATE TABLE `game_event_pool` (`eventEntry` tinyint NOT NULL, `pool_entry` int unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`pool_entry`));
CREATE TABLE `playercreateinfo_action` (
  `race` tinyint unsigned NOT NULL DEFAULT '0', `class` tinyint unsigned NOT NULL DEFAULT '0', `button` smallint unsigned NOT NULL DEFAULT '0',
  `action` int unsigned NOT NULL DEFAULT '0', `type` smallint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`race`,`class`,`button`));
CREATE TABLE `playercreateinfo_spell_custom` (
  `racemask` int unsigned NOT NULL DEFAULT '0', `classmask` int unsigned NOT NULL DEFAULT '0', `Spell` int unsigned NOT NULL DEFAULT '0', `Note` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`racemask`,`classmask`,`Spell`));
UPDATE `waypoint_data` SET `action` = 900001 WHERE `id` = 900002 AND `point` = 2;
INSERT INTO `broadcast_text` VALUES (900004, 0, 'Nothing here.', '');
INSERT INTO `waypoint_scripts` (`id`, `delay`, `command`, `datalong`, `dataint`, `guid`) VALUES (900001, 0, 0, 0, 900004, 1), (900001, 1, 1, 5, 0, 2);
INSERT INTO `areatrigger` (`entry`, `map`, `x`, `y`, `z`, `radius`) VALUES (900003, 0, 20, -12, @level, 5);
INSERT INTO `areatrigger_scripts` VALUES (900003, 'SmartTrigger');
INSERT INTO `smart_scripts` (`entryorguid`, `source_type`, `id`, `event_type`, `event_param1`, `action_type`, `action_param1`, `target_type`, `target_param1`, `target_param2`, `comment`) VALUES
(900003, 2, 0, 46, 900003, 5, 3, 19, @reveller, 30, 'Sample Area - On Trigger - Play Emote');
INSERT INTO `creature` (`guid`, `id1`, `map`, `position_x`, `position_y`, `position_z`, `spawntimesecs`) VALUES (@guid + 5, @reveller, 0, 20, -30, @level, 60), (@guid + 6, @reveller, 0, 24, -30, @level, 60);
INSERT INTO `pool_template` (`entry`, `max_limit`) VALUES (900001, 1);
INSERT INTO `pool_creature` (`guid`, `pool_entry`) VALUES (@guid + 5, 900001), (@guid + 6, 900001);
INSERT INTO `game_event_pool` VALUES (2, 900001);
INSERT INTO `pool_template` (`entry`, `max_limit`) VALUES (900002, 1), (900003, 1);
CREATE TABLE `pool_gameobject` (
  `guid` int unsigned NOT NULL DEFAULT '0', `pool_entry` int unsigned NOT NULL DEFAULT '0', `chance` float unsigned NOT NULL DEFAULT '0', `description` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`guid`));
INSERT INTO `gameobject` (`guid`, `id`, `map`, `position_x`, `position_y`, `position_z`, `rotation3`, `spawntimesecs`, `animprogress`, `state`) VALUES
(5, 900002, 0, -20, -12, @level, 1, 60, 100, 1), (6, 900002, 0, -24, -12, @level, 1, 60, 100, 1), (7, 900002, 0, -28, -12, @level, 1, 60, 100, 1);
INSERT INTO `pool_gameobject` (`guid`, `pool_entry`) VALUES (5, 900002), (6, 900002), (7, 900003);
INSERT INTO `pool_pool` (`pool_id`, `mother_pool`) VALUES (900003, 900002);
INSERT INTO `playercreateinfo_action` VALUES (1, 1, 0, 101012, 0), (1, 1, 11, 100001, 128);
INSERT INTO `playercreateinfo_spell_custom` VALUES (1, 1, 101012, 'Rush');
