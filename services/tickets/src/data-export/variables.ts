import * as z from 'zod';

export const exportVariables = {
  EXPORTS_DIR: z
    .string()
    .optional()
    .describe(
      'Folder for the temporary files of exports, which need the space of all files of an organization and of its texts twice; by default, the folder of the system for temporary files.',
    ),
};
export type ExportConfig = z.infer<z.ZodObject<typeof exportVariables>>;
