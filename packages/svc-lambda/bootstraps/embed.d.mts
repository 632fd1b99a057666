/** Source text of src/generated/bootstraps.ts. */
export function embed(): string;
