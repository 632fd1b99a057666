interface Breach {
  readonly file: string;
  readonly rule: string;
}
type Texts = ReadonlyMap<string, string>;
export function wrongDependencies(folder: string, sources: Texts, tests: Texts): Breach[];
