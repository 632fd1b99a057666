import type { DeclareRoute, LogsDeliveryConfig, LogsInjectAnomaliesRequest } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import { indexPoliciesOf } from './index-policies.ts';
import type { DetectorRecord } from './records.ts';
import { deliveryType, detectorType, groupType } from './resources.ts';
import type { LogsState } from './state.ts';

type Handle = ServiceHandle<LogsState>;

const route: DeclareRoute<Handle, ControlRoute<LogsState>> = controlRoute;

const PRIORITIES = ['HIGH', 'MEDIUM', 'LOW'];
const HEX_LENGTH = 32;

/**
 * Parses a time. Returns epoch milliseconds.
 * @throws ControlError `InvalidRequest`
 */
function timeMember(text: string | undefined, otherwise: number): number {
  const time = text === undefined ? otherwise : Date.parse(text);
  if (Number.isNaN(time)) throw new ControlError(400, 'InvalidRequest', `${text} is not a time.`);
  return time;
}

/**
 * Returns the detector that a request names.
 * @throws ControlError `InvalidRequest`, `NotFound`
 */
function detectorFor(
  { anomalyDetectorArn, logGroupName }: LogsInjectAnomaliesRequest,
  service: Handle,
): { state: LogsState; id: string } {
  if (anomalyDetectorArn === undefined && logGroupName === undefined)
    throw new ControlError(400, 'InvalidRequest', 'anomalyDetectorArn or logGroupName is needed.');
  for (const { state } of service.states()) {
    const isMeant = ({ id, groupArns }: { readonly id: string; readonly groupArns: readonly string[] }): boolean =>
      anomalyDetectorArn === undefined
        ? groupArns.includes(groupType.arn({ name: logGroupName! }, state))
        : detectorType.arn({ id }, state) === anomalyDetectorArn;
    const found = [...state.detectors.values()].find(isMeant) as Pick<DetectorRecord, 'id'> | undefined;
    if (found) return { state, id: found.id };
  }
  throw new ControlError(404, 'NotFound', 'There is no such anomaly detector.');
}

/** Adds an anomaly to a detector. */
const injectAnomalies = route('POST /_emulator/logs/anomalies/inject', ({ body }, service) => {
  const request = (body ?? {}) as LogsInjectAnomaliesRequest;
  if (!Array.isArray(request.anomalies) || !request.anomalies.length)
    throw new ControlError(400, 'InvalidRequest', 'anomalies must be a list that is not empty.');
  const { state, id: detector } = detectorFor(request, service);
  const now = service.clock.now();
  const records = request.anomalies.map(({ description, patternString, priority = 'HIGH', ...rest }) => {
    if (typeof description !== 'string' || !description || typeof patternString !== 'string' || !patternString)
      throw new ControlError(400, 'InvalidRequest', 'An anomaly needs a description and a patternString.');
    if (!PRIORITIES.includes(priority))
      throw new ControlError(400, 'InvalidRequest', `priority must be one of ${PRIORITIES.join(', ')}.`);
    return {
      id: service.ids.uuid(),
      patternId: service.ids.hex(HEX_LENGTH),
      detector,
      patternString,
      description,
      priority,
      firstSeen: timeMember(rest.firstSeen, now),
      lastSeen: timeMember(rest.lastSeen, now),
      samples: (rest.logSamples ?? []).map(({ timestamp, message }) => ({
        timestamp: timeMember(timestamp, now),
        message,
      })),
      baseline: false,
    };
  });
  for (const record of records) state.anomalies.put(record.id, record);
  return { json: { anomalyIds: records.map(({ id }) => id) } };
});

/** Deliveries with members of their sources. */
const deliveryConfig = route('GET /_emulator/logs/delivery-config', (_request, service) => {
  const deliveries: LogsDeliveryConfig[] = [];
  for (const { accountId, region, state } of service.states())
    for (const delivery of state.vendedDeliveries.values())
      deliveries.push({
        accountId,
        region,
        deliveryId: delivery.id,
        deliveryArn: deliveryType.arn({ id: delivery.id }, state),
        deliverySourceName: delivery.sourceName,
        deliveryDestinationArn: delivery.destinationArn,
        logType: state.deliverySources.get(delivery.sourceName)?.logType ?? '',
        recordFields: [...(delivery.recordFields ?? [])],
        ...(delivery.fieldDelimiter !== undefined && { fieldDelimiter: delivery.fieldDelimiter }),
        ...(delivery.s3 && { s3DeliveryConfiguration: { ...delivery.s3 } as { suffixPath?: string } }),
        createdAt: new Date(delivery.createdAt).toISOString(),
      });
  return { json: { deliveries } };
});

/** Fields of a group's index policies. */
const fieldIndexes = route('GET /_emulator/logs/field-indexes/{log_group_name}', ({ params }, service) => {
  const name = params.log_group_name!;
  for (const { state } of service.states()) {
    const group = state.groups.find(name);
    if (!group) continue;
    const policies = indexPoliciesOf(state, group).map((policy) => ({
      policyName: policy.name ?? '',
      source: policy.name === undefined ? ('LOG_GROUP' as const) : ('ACCOUNT' as const),
      fields: [...policy.fields],
      lastUpdatedAt: new Date(policy.updatedAt).toISOString(),
    }));
    return { json: { logGroupName: name, fieldIndexes: policies } };
  }
  throw new ControlError(404, 'NotFound', `There is no log group ${name}.`);
});

/** Control routes of CloudWatch Logs. */
export const control: readonly ControlRoute<LogsState>[] = [injectAnomalies, deliveryConfig, fieldIndexes];
