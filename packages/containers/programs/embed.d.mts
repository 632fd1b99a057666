/** Source text of src/generated/programs.ts. */
export function embed(): string;
