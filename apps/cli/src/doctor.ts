import { type DoctorReport, inspectDataDirectory, isWhole, type ServiceReport } from '@emu/core/doctor';
import type { Logger } from '@emu/core/service';
import { SERVICES } from '@emu/emulator';
import { Failure } from './failure.ts';
import { VERSION } from './version.ts';

/** Number of findings of a service that are shown individually. */
const SHOWN = 20;

/**
 * `emu doctor`: prints the condition of a data directory.
 * @param repair whether to move damaged parts away
 * @returns the exit code: 1 for damage that was not moved away, or for permanent loss
 * @throws Failure if there is nothing to inspect
 */
export async function diagnose(directory: string, repair: boolean, log: Logger): Promise<number> {
  const report = await inspectDataDirectory({
    directory,
    version: VERSION,
    manifests: SERVICES,
    repair,
    log,
    now: Date.now(),
  });
  if (!report) throw new Failure(`${directory} contains no state of emu.`);
  process.stdout.write(`${[...linesOf(report), verdictOf(report, repair)].join('\n')}\n`);
  return isWhole(report) || repair ? 0 : 1;
}

function linesOf({ damage, services }: DoctorReport): string[] {
  const width = Math.max(...services.map(({ service }) => service.length), 'directory'.length) + 2;
  const row = (name: string, text: string): string => name.padEnd(width) + text;
  return [
    ...damage.map((text, index) => row(index ? '' : 'directory', index ? text : `damaged: ${text}`)),
    ...services.flatMap((service) => {
      const shown = service.damage.slice(0, SHOWN);
      const more = service.damage.length - shown.length;
      const details = [...shown, ...(more ? [`and ${more} more`] : []), ...service.notes];
      return [row(service.service, summaryOf(service)), ...details.map((text) => row('', text))];
    }),
  ];
}

function summaryOf({ records, bodies, damage }: ServiceReport): string {
  const counts = `${records} records${bodies ? `, ${bodies} bodies` : ''}`;
  return damage.length ? `damaged; ${counts} can be read` : `undamaged: ${counts}`;
}

function verdictOf(report: DoctorReport, repair: boolean): string {
  const { user } = report;
  if (isWhole(report))
    return user === undefined ? 'Everything is undamaged.' : `Everything is undamaged; it is in use by ${user}.`;
  if (user !== undefined)
    return `The directory is in use by ${user}: files that seem damaged may be in the process of being written. Stop it, and check again.`;
  if (report.setAside !== undefined)
    return `The damaged parts were moved to ${report.setAside}; emu starts with the rest.`;
  if (repair) return 'emu starts with the remaining data.';
  return report.starts
    ? 'emu starts, and requests for the damaged parts fail; --repair moves them away.'
    : 'emu does not start with this directory; --repair moves the damaged parts away.';
}
