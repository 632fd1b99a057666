export function importedBy(manifest: object): string[];
export function publishedManifest(manifest: object): Record<string, unknown>;
