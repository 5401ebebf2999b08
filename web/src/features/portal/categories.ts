import type { PublicOrganization } from '@tandem/contracts';
import type { Language } from '@tandem/contracts/values';

/** The name of a category that customers read. A ticket stores `name`, which may no longer be in the list. */
export const categoryLabel = (organization: PublicOrganization | undefined, name: string, language: Language): string =>
  organization?.categories?.find((category) => category.name === name)?.translations[language] ?? name;
