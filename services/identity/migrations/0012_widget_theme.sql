-- The look of the widget on every site whose snippet does not choose one itself (`data-theme`).
alter table widgets add column theme text not null default 'auto';
alter table widgets add constraint widgets_theme_check check (theme in ('light', 'dark', 'auto'));
