DROP TABLE IF EXISTS `creature_template`;
CREATE TABLE `creature_template` (
  `entry` int unsigned NOT NULL DEFAULT '0',
  `name` char(100) NOT NULL DEFAULT '0',
  `subname` char(100) DEFAULT NULL,
  `gossip_menu_id` int unsigned NOT NULL DEFAULT '0',
  `minlevel` tinyint unsigned NOT NULL DEFAULT '1',
  `speed_walk` float NOT NULL DEFAULT '1',
  `speed_swim` float NOT NULL DEFAULT '1',
  `detection_range` float NOT NULL DEFAULT '20',
  `rank` tinyint unsigned NOT NULL DEFAULT '0',
  `lootid` int unsigned NOT NULL DEFAULT '0',
  `AIName` char(64) NOT NULL DEFAULT '',
  `CreatureImmunitiesId` int NOT NULL DEFAULT '0',
  PRIMARY KEY (`entry`)
) ENGINE=MyISAM;
INSERT INTO `creature_template` VALUES
(100,'Pebble Cat','Baker\'s',0,1,1,1,20,0,100,'SmartAI',0),
(101,'Slate Cat',NULL,0,2,1.14286,1,20,1,0,'',0);
DROP TABLE IF EXISTS `creature_template_model`;
CREATE TABLE `creature_template_model` (
  `CreatureID` int unsigned NOT NULL,
  `Idx` smallint unsigned NOT NULL DEFAULT '0',
  `CreatureDisplayID` int unsigned NOT NULL,
  `DisplayScale` float NOT NULL DEFAULT '1',
  `Probability` float NOT NULL DEFAULT '0',
  PRIMARY KEY (`CreatureID`,`Idx`)
);
INSERT INTO `creature_template_model` VALUES (100,0,5,1,1),(100,1,6,0.5,0.25),(101,0,7,1,1);
CREATE TABLE `creature_loot_template` (
  `Entry` int unsigned NOT NULL DEFAULT '0', `Item` int unsigned NOT NULL DEFAULT '0', `Reference` int NOT NULL DEFAULT '0',
  `Chance` float NOT NULL DEFAULT '100', PRIMARY KEY (`Entry`,`Item`));
INSERT INTO `creature_loot_template` VALUES (100,1,0,50),(100,2,34000,100);
CREATE TABLE `reference_loot_template` (
  `Entry` int unsigned NOT NULL DEFAULT '0', `Item` int unsigned NOT NULL DEFAULT '0', `Reference` int NOT NULL DEFAULT '0',
  `Chance` float NOT NULL DEFAULT '100', PRIMARY KEY (`Entry`,`Item`));
INSERT INTO `reference_loot_template` VALUES (34000,1,0,0);
