import type { CallOf, Operation, OutputOf, TokenPermission } from '@tandem/contracts';
import * as z from 'zod';
import type { Untrusted } from './untrusted';

/** The dependencies of a tool: the operations of the owners, in the context of the token. */
export interface ToolContext {
  call: <Op extends Operation>(operation: Op, input: CallOf<Op>, idempotencyKey?: string) => Promise<OutputOf<Op>>;
  untrusted: Untrusted;
  /** The public address of a page of the app. */
  linkTo: (path: string) => string;
}

export interface ToolResult {
  /** A short text for the model. */
  text: string;
  /** The structured result, with untrusted texts wrapped in the same way. */
  data: Record<string, unknown>;
}

export interface Tool<Input extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  description: string;
  /** The tool is hidden from tokens that lack one of them. */
  permissions: readonly TokenPermission[];
  input: Input;
  /** `destructive`: it cannot be undone, or a customer sees the result. */
  effect: 'read' | 'write' | 'destructive';
  /** A repeated call with the same input changes nothing, even without `idempotency_key`. */
  isIdempotent?: boolean;
  /** Customers or a task tool get the result. */
  reachesOthers?: boolean;
  run: (context: ToolContext, input: z.output<Input>) => Promise<ToolResult>;
}

/** Infers the type of the input from its schema. */
export const tool = <const Input extends z.ZodType>(definition: Tool<Input>): Tool => definition;

/** At most 25 items, so that a result stays short. */
export const maxItems = 25;
export const page = {
  limit: z.number().int().min(1).max(maxItems).default(10).describe('Number of items, at most 25'),
  cursor: z.string().min(1).max(500).optional().describe('next_cursor of the previous result'),
};

/** Sent as the header `Idempotency-Key` of the operation. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'Send 1 to 255 printable characters')
  .describe('A new random value per change. Repeating a call with the same key changes nothing again.')
  .optional();
