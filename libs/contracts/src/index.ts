export * from './analytics';
export * from './audit';
export * from './catalogue';
export * from './context';
export * from './define';
export * from './envelope';
export * from './errors';
export * from './identity';
export * from './integrations';
export * from './notifications';
export * from './organizations';
export * from './pagination';
export * from './scalars';
export * from './tickets';
export * from './values/audit';
export * from './values/errors';
export * from './values/limits';
export * from './values/permissions';
export {
  customerMayComment,
  customerStatusLabels,
  defaultPriority,
  priorityLabels,
  statusLabels,
  ticketLimits,
  ticketPriorities,
  ticketStatuses,
} from './values/tickets';
