import { effectNote, nameOf, optionEntries } from '@emu/core';
import type { OptionEntry } from '@emu/core/service';
import { DECLARED_OPTIONS, SERVICE_NAMES } from '@emu/emulator';
import { prose, table } from './markdown.ts';

const ENTRIES = optionEntries(DECLARED_OPTIONS);

/** Returns the service whose page describes an option; undefined for an option of emu itself or of several services. */
function serviceOf([, { services }]: OptionEntry): string | undefined {
  return services?.length === 1 && SERVICE_NAMES.includes(services[0]!) ? services[0] : undefined;
}

const isPlanned = ([, option]: OptionEntry): boolean => effectNote(option, SERVICE_NAMES) !== '';

const names = (entry: OptionEntry): string =>
  entry[1].flag === undefined ? `\`${entry[0]}\`` : `\`${nameOf(entry)}\`<br>\`${entry[0]}\``;

/** Maximum characters of a description in a cell. */
const MAX_CELL = 140;
/** The end of the first clause of a description. */
const CLAUSE_END = /[.;:] /;

/** Splits a description into the text of its cell, and the text below the table if it is long. */
function partsOf([, { description }]: OptionEntry): [cell: string, below: string | undefined] {
  const end = description.search(CLAUSE_END);
  if (description.length <= MAX_CELL || end < 0) return [description, undefined];
  const rest = description.slice(end + 2);
  return [description.slice(0, end), `${rest[0]!.toUpperCase()}${rest.slice(1)}`];
}

/** Returns a table of options, followed by the rest of long descriptions. */
function optionTable(entries: readonly OptionEntry[], column: string, second: (entry: OptionEntry) => string): string {
  const rows = entries.map((entry) => [names(entry), second(entry), prose(partsOf(entry)[0])]);
  const below = entries.flatMap((entry) => {
    const [, text] = partsOf(entry);
    return text === undefined ? [] : [`- \`${nameOf(entry)}\`: ${prose(text)}`];
  });
  const list = below.length > 0 ? `\n\n${below.join('\n')}` : '';
  return `${table(['Flag and variable', column, 'Meaning'], rows)}${list}`;
}

const withDefaults = (entries: readonly OptionEntry[]): string =>
  optionTable(entries, 'Default', ([, { defaultText }]) => prose(defaultText));

/** Returns the part about settings of a service's page. */
export function settingsPart(service: string): string {
  const entries = ENTRIES.filter((entry) => serviceOf(entry) === service);
  return entries.length ? withDefaults(entries) : 'The service has no settings.';
}

/** Returns the generated parts of `docs/configuration.md` by name. */
export function configurationParts(): Record<string, string> {
  const others = ENTRIES.filter((entry) => serviceOf(entry) === undefined);
  const ofServices = ENTRIES.filter((entry) => serviceOf(entry) !== undefined);
  const planned = others.filter(isPlanned);
  const general = others.filter((entry) => !entry[1].services);
  const shared = others.filter((entry) => entry[1].services && !isPlanned(entry));
  return {
    general: withDefaults(general),
    containers: withDefaults(shared),
    services: table(
      ['Setting', 'Service'],
      ofServices.map((entry) => {
        const service = serviceOf(entry)!;
        return [`\`${nameOf(entry)}\``, `[${service}](services/${service}.md#settings)`];
      }),
    ),
    planned: optionTable(planned, 'Needs', ([, { services }]) => services!.join(', ')),
  };
}
