-- Invented, in the shape of an update.
SET @CGUID := 80000;
SET @ENTRY := 102;
DELETE FROM `creature` WHERE `guid` BETWEEN @CGUID+0 AND @CGUID+1;
INSERT INTO `creature` (`map`, `guid`, `id1`, `position_x`) VALUES
-- one of them stands on the wall
(571, @CGUID+0  , @ENTRY, 1.5),
(571, @CGUID+1  , @ENTRY, -1.5); -- and one does not
DELETE FROM `creature_template` WHERE `entry` = @ENTRY;
INSERT INTO `creature_template` (`entry`, `name`, `minlevel`) VALUES (@ENTRY, "Granite Cat", 80);
UPDATE `creature_template` SET `minlevel` = `minlevel` + 1, `rank` = 2 WHERE `entry` IN (101 /* Slate Cat */, @ENTRY);
DELETE FROM `locale_of_cats` WHERE `id` = 1;
