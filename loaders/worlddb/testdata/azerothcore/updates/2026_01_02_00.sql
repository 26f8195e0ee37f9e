ALTER TABLE `creature` ADD COLUMN `CreateObject` tinyint unsigned NOT NULL DEFAULT '7' AFTER `MovementType`;
UPDATE `creature` SET `CreateObject` = 0 WHERE `guid` < 3 AND `ScriptName` = '';
DELETE FROM `creature_loot_template` WHERE `Entry` IN (SELECT `entry` FROM `creature_template` WHERE `name` LIKE 'pebble%') AND `Item` = 2;
REPLACE INTO `creature_template_model` VALUES (102,0,8,1,1);
