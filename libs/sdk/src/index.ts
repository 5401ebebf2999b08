export { TandemError, WebhookVerificationError, type FieldError } from './errors';
export * from './generated/client';
export type * from './generated/types';
export { PageList, type Page } from './page-list';
export type { Call, CreateOptions, RequestOptions, StreamedChange, StreamOptions, TandemOptions, UpdateOptions } from './transport';
export { verifyWebhook, type VerifyOptions, type WebhookHeaders } from './webhook';
