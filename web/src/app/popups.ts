/**
 * The popups that keys and clicks open. One chunk requests them all, so that pages do not list the chunks of each popup in their first
 * load.
 */
export const loadPopups = () =>
  Promise.allSettled([
    import('../ui/SelectPopup'),
    import('../ui/MultiSelectPopup'),
    import('../ui/MenuPopup'),
    import('./shell-menus'),
    import('./palette/CommandPalette'),
    import('../features/tickets/list/RowPicker'),
    import('../features/tickets/panel/TagEditor'),
    import('../features/tickets/panel/MergeDialog'),
    import('../features/tickets/snooze/SnoozeDialog'),
    import('../features/tickets/macros/MacroPicker'),
    import('../features/tickets/composer/ArticlePicker'),
  ]);
