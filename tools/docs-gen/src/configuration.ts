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

function optionTable(entries: readonly OptionEntry[]): string {
  return table(
    ['Flag and variable', 'Default', 'Meaning'],
    entries.map((entry) => [names(entry), prose(entry[1].defaultText), prose(entry[1].description)]),
  );
}

/** Returns the part about settings of a service's page. */
export function settingsPart(service: string): string {
  const entries = ENTRIES.filter((entry) => serviceOf(entry) === service);
  return entries.length ? optionTable(entries) : 'The service has no settings.';
}

/** Returns the generated parts of `docs/configuration.md` by name. */
export function configurationParts(): Record<string, string> {
  const others = ENTRIES.filter((entry) => serviceOf(entry) === undefined);
  const ofServices = ENTRIES.filter((entry) => serviceOf(entry) !== undefined);
  const planned = others.filter(isPlanned);
  const general = others.filter((entry) => !entry[1].services);
  const shared = others.filter((entry) => entry[1].services && !isPlanned(entry));
  return {
    general: optionTable(general),
    containers: optionTable(shared),
    services: table(
      ['Setting', 'Service'],
      ofServices.map((entry) => {
        const service = serviceOf(entry)!;
        return [`\`${nameOf(entry)}\``, `[${service}](services/${service}.md#settings)`];
      }),
    ),
    planned: table(
      ['Flag and variable', 'Needs', 'Meaning'],
      planned.map((entry) => [names(entry), entry[1].services!.join(', '), prose(entry[1].description)]),
    ),
  };
}
