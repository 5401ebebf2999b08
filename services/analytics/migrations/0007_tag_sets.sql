-- Roll-ups count tickets by their sets of tags now. They are derived data: announcing the installation again rebuilds all of them.
truncate day_roll_ups;
update installation set installed_at = now(), announced_at = null;
