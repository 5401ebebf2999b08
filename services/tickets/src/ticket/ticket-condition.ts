import type { TicketRow } from '../schema';

export type PlainColumn = Exclude<keyof TicketRow, 'custom_fields'>;

type Comparison =
  | { is: 'equal' | 'at_least' | 'at_most' | 'below'; value: string }
  | { is: 'any_of' | 'any_of_or_null'; values: readonly (string | number)[] }
  | { is: 'null' | 'not_null' };
/** The rows that belong to a ticket, and what a filter can compare in them. */
interface Related {
  open_periods: 'opened_at' | 'resolved_at' | 'is_reopened';
  surveys: 'rating';
  sent_surveys: never;
}
export type RelatedRow = {
  [Table in keyof Related]: { column: Table; is: 'with'; where: readonly ({ column: Related[Table] } & Comparison)[] };
};

/** Numbers and dates are only compared with values of the same type; texts are the results of `foldCase`. */
type FieldComparison =
  | { is: 'same_text' | 'contains_text' | 'starts_with_text' | 'ends_with_text'; value: string }
  | { is: 'includes_any_of' | 'includes_all_of'; values: readonly string[] }
  | { is: 'number_equal' | 'number_at_least' | 'number_at_most' | 'date_at_least' | 'date_at_most'; value: string }
  | { is: 'null' | 'not_null' };

/** That a custom field has one of these values. */
export type FieldValue = { column: 'custom_fields'; key: string; is: 'includes_any_of'; values: readonly string[] };
/** A comparison of a custom field for which `ticket_field_values` has an index. */
export type FieldLookup = Extract<Condition, { column: 'custom_fields' }> & {
  is: Exclude<FieldComparison['is'], `${string}_text` | 'null' | 'not_null'>;
};
export const isStoredApart = (condition: Condition): condition is FieldLookup =>
  condition.column === 'custom_fields' && !condition.is.endsWith('_text') && !condition.is.endsWith('null');
export const isFieldValue = (condition: Condition): condition is FieldValue =>
  condition.column === 'custom_fields' && condition.is === 'includes_any_of' && condition.values.length > 0;

/**
 * A condition on one column, or on the rows of another table: a ticket must have one that meets all of `where`. The list renders it as SQL
 * (`toSql`), the search function does the same with its own copy of the operators.
 */
export type Condition =
  | ({ column: PlainColumn } & Comparison)
  | { column: 'created_at'; is: 'in_weekday' | 'in_hour'; value: string }
  | { column: 'category'; is: 'none_of'; values: readonly string[] }
  | { column: 'tags'; is: 'overlapping' | 'not_within'; values: readonly string[] }
  // The values of the following are the results of `foldCase`.
  | { column: 'tags'; is: 'tagged'; values: readonly string[] }
  | {
      column: 'category' | 'subject' | 'customer_email' | 'customer_domain' | 'customer_name';
      is: 'same_text' | 'contains_text' | 'starts_with_text' | 'ends_with_text';
      value: string;
    }
  | ({ column: 'custom_fields'; key: string } & FieldComparison)
  /** `not` has one member, and matches unless that is true: also if it is not known. */
  | { column: 'condition'; is: 'all' | 'any' | 'not'; of: readonly Condition[] }
  | RelatedRow[keyof Related];
