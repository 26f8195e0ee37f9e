-- Invented rows in the shape of a dump of mysqldump.
/*!40101 SET NAMES utf8 */;
/*!50503 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;

DROP TABLE IF EXISTS `creature`;
CREATE TABLE `creature` (
  `guid` int unsigned NOT NULL AUTO_INCREMENT COMMENT 'Global Unique Identifier',
  `id1` int unsigned NOT NULL DEFAULT '0',
  `id2` int unsigned NOT NULL DEFAULT '0',
  `id3` int unsigned NOT NULL DEFAULT '0',
  `map` smallint unsigned NOT NULL DEFAULT '0',
  `spawnMask` tinyint unsigned NOT NULL DEFAULT '1',
  `position_x` float NOT NULL DEFAULT '0',
  `orientation` float NOT NULL DEFAULT '0',
  `wander_distance` float NOT NULL DEFAULT '0',
  `MovementType` tinyint unsigned NOT NULL DEFAULT '0',
  `ScriptName` char(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci DEFAULT '',
  `Comment` text,
  PRIMARY KEY (`guid`),
  KEY `idx_map` (`map`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Creature; System';

LOCK TABLES `creature` WRITE;
/*!40000 ALTER TABLE `creature` DISABLE KEYS */;
INSERT INTO `creature` VALUES
(1,100,0,0,0,1,-8949.95,3.5,5,1,'',NULL),
(2,100,101,0,0,1,1e2,-0,0,0,'','the baker\'s cat'),
(3,101,0,0,1,1,12.5,0,0,2,'npc_cat',NULL);
INSERT INTO `creature` VALUES
(70000,101,0,0,1,3,7,0,0,0,'','grün');
/*!40000 ALTER TABLE `creature` ENABLE KEYS */;
UNLOCK TABLES;
/*!40014 SET FOREIGN_KEY_CHECKS=IFNULL(@OLD_FOREIGN_KEY_CHECKS, 1) */;
-- Dump completed
