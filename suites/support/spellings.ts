/** The spellings of true and of false for a flag (Document 1, Conventions used by all endpoints). */
export const yes = ['1', 'True', 'true'] as const;
export const no = ['0', 'False', 'false'] as const;
export type Spelling = (typeof yes)[number] | (typeof no)[number];
