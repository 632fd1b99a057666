import type { FaultTarget } from '@emu/control-client';
import { type Kernel, nearest } from '@emu/core';
import { ControlError } from '@emu/core/service';
import {
  check,
  literal,
  maxValue,
  minValue,
  number,
  optional,
  pipe,
  regex,
  safeInteger,
  strictObject,
  string,
} from 'valibot';
import type { InjectedFaults } from '../pipeline/injected-faults.ts';
import { type Route, route } from './route.ts';
import { validate } from './validate.ts';

/** Longest latency in milliseconds, so that a forgotten fault does not look like a hung emulator. */
const MAX_LATENCY = 600_000;

const fault = pipe(
  strictObject({
    service: optional(string()),
    operation: optional(string()),
    accountId: optional(pipe(string(), regex(/^\d{12}$/, 'accountId must be 12 digits.'))),
    region: optional(string()),
    share: optional(pipe(number(), minValue(0), maxValue(1))),
    times: optional(pipe(number(), safeInteger(), minValue(1))),
    latency: optional(pipe(number(), minValue(0), maxValue(MAX_LATENCY))),
    error: optional(
      strictObject({
        code: pipe(
          string(),
          regex(/^[A-Za-z][A-Za-z0-9.]*$/, 'error.code must be an error code such as InternalError.'),
        ),
        message: optional(string()),
        status: optional(pipe(number(), safeInteger(), minValue(400), maxValue(599))),
      }),
    ),
    throttle: optional(strictObject({ retryAfterSeconds: optional(pipe(number(), minValue(0))) })),
    drop: optional(literal(true)),
  }),
  check(
    ({ latency, error, throttle, drop }) => latency !== undefined || [error, throttle, drop].some(Boolean),
    'A fault needs at least one of "latency", "error", "throttle" and "drop".',
  ),
  check(
    ({ error, throttle, drop }) => [error, throttle, drop].filter(Boolean).length <= 1,
    'A fault has at most one of "error", "throttle" and "drop".',
  ),
);

/** Returns the error for an unknown name, with the most similar known one. */
function unheardOf(what: string, name: string, names: readonly string[]): ControlError {
  const match = nearest(name, names);
  return new ControlError(400, 'InvalidRequest', `${what}${match ? `; did you mean ${match}?` : '.'}`);
}

/**
 * Rejects a fault that cannot apply to a call. @throws ControlError `InvalidRequest` for an unknown service or
 * operation
 */
async function checkTarget({ service, operation }: FaultTarget, kernel: Kernel): Promise<void> {
  const services = kernel.manifests.map(({ name }) => name);
  if (service !== undefined && !services.includes(service))
    throw unheardOf(`emu has no service ${service}`, service, services);
  if (operation === undefined) return;
  const loaded = await Promise.all((service === undefined ? services : [service]).map((name) => kernel.service(name)));
  const operations = loaded.flatMap(({ codec }) => Object.keys(codec.model.operations));
  if (operations.includes(operation)) return;
  const whose = service === undefined ? 'No service of emu has' : `${service} has`;
  const none = service === undefined ? 'an operation' : 'no operation';
  throw unheardOf(`${whose} ${none} ${operation}`, operation, operations);
}

/** `/_emulator/faults`: faults that users inject into calls of AWS clients. */
export function faultRoutes(faults: InjectedFaults, kernel: Kernel): Route[] {
  return [
    route('GET /_emulator/faults', () => ({ json: { faults: faults.list() } })),
    route('POST /_emulator/faults', async ({ body }) => {
      const wanted = validate(fault, body);
      await checkTarget(wanted as FaultTarget, kernel);
      try {
        return { json: faults.add(wanted as Parameters<InjectedFaults['add']>[0]) };
      } catch (error) {
        if (error instanceof RangeError) throw new ControlError(400, 'InvalidRequest', `${error.message}.`);
        throw error;
      }
    }),
    route('DELETE /_emulator/faults', () => ({ json: { cleared: faults.clear() } })),
    route('DELETE /_emulator/faults/{id}', ({ params: { id } }) => {
      const cleared = faults.clear(id);
      if (!cleared) throw new ControlError(404, 'NotFound', `There is no fault ${id}.`);
      return { json: { cleared } };
    }),
  ];
}
