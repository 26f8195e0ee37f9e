-- The tables of items and vendors of a world of AzerothCore, without rows.
CREATE TABLE `item_template` (
  `entry` int unsigned NOT NULL DEFAULT '0', `class` tinyint unsigned NOT NULL DEFAULT '0', `subclass` tinyint unsigned NOT NULL DEFAULT '0',
  `name` varchar(255) NOT NULL DEFAULT '', `displayid` int unsigned NOT NULL DEFAULT '0', `Quality` tinyint unsigned NOT NULL DEFAULT '0',
  `BuyCount` tinyint unsigned NOT NULL DEFAULT '1', `BuyPrice` bigint NOT NULL DEFAULT '0', `SellPrice` int unsigned NOT NULL DEFAULT '0',
  `InventoryType` tinyint unsigned NOT NULL DEFAULT '0', `AllowableClass` int NOT NULL DEFAULT '-1', `AllowableRace` int NOT NULL DEFAULT '-1',
  `ItemLevel` smallint unsigned NOT NULL DEFAULT '0', `RequiredLevel` tinyint unsigned NOT NULL DEFAULT '0', `stackable` int DEFAULT '1',
  `ContainerSlots` tinyint unsigned NOT NULL DEFAULT '0', `stat_type1` tinyint unsigned NOT NULL DEFAULT '0', `stat_value1` int NOT NULL DEFAULT '0',
  `stat_type2` tinyint unsigned NOT NULL DEFAULT '0', `stat_value2` int NOT NULL DEFAULT '0', `dmg_min1` float NOT NULL DEFAULT '0',
  `dmg_max1` float NOT NULL DEFAULT '0', `armor` smallint unsigned NOT NULL DEFAULT '0', `delay` smallint unsigned NOT NULL DEFAULT '1000',
  `spellid_1` int NOT NULL DEFAULT '0', `bonding` tinyint unsigned NOT NULL DEFAULT '0', `block` int unsigned NOT NULL DEFAULT '0',
  `MaxDurability` smallint unsigned NOT NULL DEFAULT '0', PRIMARY KEY (`entry`));
CREATE TABLE `npc_vendor` (
  `entry` int unsigned NOT NULL DEFAULT '0', `slot` smallint NOT NULL DEFAULT '0', `item` int NOT NULL DEFAULT '0',
  `maxcount` tinyint unsigned NOT NULL DEFAULT '0', `incrtime` int unsigned NOT NULL DEFAULT '0', `ExtendedCost` int unsigned NOT NULL DEFAULT '0',
  PRIMARY KEY (`entry`,`item`,`ExtendedCost`));
CREATE TABLE `conditions` (
  `SourceTypeOrReferenceId` int NOT NULL DEFAULT '0', `SourceGroup` int unsigned NOT NULL DEFAULT '0', `SourceEntry` int NOT NULL DEFAULT '0',
  `ConditionTypeOrReference` int NOT NULL DEFAULT '0', PRIMARY KEY (`SourceTypeOrReferenceId`,`SourceGroup`,`SourceEntry`,`ConditionTypeOrReference`));
