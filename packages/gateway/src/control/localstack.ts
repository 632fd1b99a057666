import { arch, platform } from 'node:os';
import type { Kernel } from '@emu/core';
import { ControlError } from '@emu/core/service';
import { INIT_STAGES, type InitReport, type InitStage } from '../init.ts';
import type { ResolvedGatewayOptions } from '../options.ts';
import type { Route } from './route.ts';

/**
 * `/_localstack/*`: routes for tools made for LocalStack, such as modules of Testcontainers, which wait for it and
 * reset it.
 * @see https://docs.localstack.cloud/references/internal-endpoints/
 */
export function localstackRoutes(kernel: Kernel, options: ResolvedGatewayOptions, reset: () => Promise<void>): Route[] {
  const { version, init } = options;
  const answers = (path: string, json: () => unknown): Route => ({
    method: 'GET',
    path,
    handle: () => ({ json: json() }),
    changesNothing: true,
  });
  return [
    answers('/_localstack/health', () => ({ services: servicesOf(kernel), edition: 'emu', version })),
    answers('/_localstack/info', () => ({
      version,
      edition: 'emu',
      is_license_activated: false,
      system: `${platform()} ${arch()}`,
      is_docker: options.container,
      uptime: Math.floor(process.uptime()),
    })),
    answers('/_localstack/init', () => initOf(init?.() ?? NOTHING_RAN)),
    {
      method: 'GET',
      path: '/_localstack/init/{stage}',
      handle: ({ params }) => ({ json: stageOf(init?.() ?? NOTHING_RAN, params.stage!) }),
      changesNothing: true,
    },
    {
      method: 'POST',
      path: '/_localstack/state/reset',
      handle: async () => {
        await reset();
        return { json: {} };
      },
    },
  ];
}

const NOTHING_RAN: InitReport = { completed: ['boot', 'start', 'ready'], scripts: [] };

/** Returns the states of services in LocalStack's form: used services are `running`. */
function servicesOf(kernel: Kernel): Record<string, string> {
  const states = kernel.manifests.map(({ name, localstackName = name }) => [
    localstackName,
    kernel.loadedService(name) ? 'running' : 'available',
  ]);
  return Object.fromEntries(states);
}

const upper = (stage: InitStage): string => stage.toUpperCase();

const scriptsOf = ({ scripts }: InitReport, of: readonly InitStage[]) =>
  scripts
    .filter(({ stage }) => of.includes(stage))
    .map(({ stage, name, state }) => ({ stage: upper(stage), name, state: state.toUpperCase() }));

const initOf = (report: InitReport) => ({
  completed: Object.fromEntries(INIT_STAGES.map((stage) => [upper(stage), report.completed.includes(stage)])),
  scripts: scriptsOf(report, INIT_STAGES),
});

function stageOf(report: InitReport, name: string) {
  const stage = INIT_STAGES.find((known) => known === name.toLowerCase());
  if (!stage)
    throw new ControlError(404, 'NotFound', `Unknown stage ${name}. Valid stages are ${INIT_STAGES.join(', ')}.`);
  return { completed: report.completed.includes(stage), scripts: scriptsOf(report, [stage]) };
}
