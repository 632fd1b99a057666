/** Parts of messages that differ between runs and templates, with their replacements. */
const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/^Resource handler returned message: "(.*)" \(RequestToken.*\)$/s, '$1'],
  [/ ?\((?:RequestToken|Service): [^)]*\)/g, ''],
  [/ \(resource \w+\)/g, ''],
  [/ for resource \w+ with message:/g, ':'],
  [/\b(?:dependencies|resource\(s\) failed to \w+:) \[[^\]]*\]/g, 'dependencies […]'],
  [/arn:aws[\w-]*:[^\s"',)\]]+/g, '<arn>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/harness-\w+-[A-Za-z0-9]{12,13}/g, '<name>'],
  [/Value '\{\n.*?\n\}'/s, "Value '<template>'"],
  [/\[\/Resources\/[^\]]+\]/g, '[/Resources/…]'],
  [/\s+/g, ' '],
];
const UNSUPPORTED = /^The properties \[(.*)\] of (\S+) are not supported by emu$/;

/** Returns the causes in a message, without the parts that differ between templates. */
export function causesOf(message: string): string[] {
  const text = VARIABLE.reduce((rest, [pattern, by]) => rest.replace(pattern, by), message).trim();
  const [, properties, type] = UNSUPPORTED.exec(text) ?? [];
  if (properties === undefined) return [text];
  return properties.split(', ').map((property) => `The property ${property} of ${type} is not supported by emu`);
}
