import type { CallOptions, DeepReadonly, ServiceCaller } from '@emu/core/service';
import type { AlarmConfiguration, AlarmStateInformation } from '@emu/service-types/ssm';

/**
 * Returns the alarms of an execution or command in the state ALARM.
 * @throws Error if their state is unavailable and the configuration does not ignore that
 */
export async function triggeredAlarms(
  { Alarms, IgnorePollAlarmFailure }: DeepReadonly<AlarmConfiguration>,
  caller: ServiceCaller,
  options: CallOptions,
): Promise<AlarmStateInformation[]> {
  const AlarmNames = Alarms.map(({ Name }) => Name);
  try {
    const { MetricAlarms } = await caller.call('cloudwatch', 'DescribeAlarms', { AlarmNames }, options);
    return (MetricAlarms ?? [])
      .filter(({ StateValue }) => StateValue === 'ALARM')
      .map(({ AlarmName }) => ({ Name: AlarmName!, State: 'ALARM' as const }));
  } catch (error) {
    if (IgnorePollAlarmFailure) return [];
    throw new Error(`The state of the alarm could not be determined: ${(error as Error).message}`);
  }
}
