-- A starting process reads which encryption keys the sealed values need.
select system_readable('widgets');
