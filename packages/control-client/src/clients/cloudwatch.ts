import type { CloudWatchAlarm, CloudWatchMetric } from '../routes/cloudwatch.ts';
import { AreaControl } from './area.ts';

/** Control routes of CloudWatch. */
export class CloudWatchControl extends AreaControl {
  /** Lists alarms by account, region and name. `GET /_emulator/cloudwatch/alarms` */
  alarms(): Promise<{ alarms: CloudWatchAlarm[] }> {
    return this.transport.json('GET /_emulator/cloudwatch/alarms');
  }

  /** Lists metric series by account, region, namespace and metric. `GET /_emulator/cloudwatch/metrics` */
  metrics(): Promise<{ metrics: CloudWatchMetric[] }> {
    return this.transport.json('GET /_emulator/cloudwatch/metrics');
  }
}
