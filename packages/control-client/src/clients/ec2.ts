import type { Ec2Instance, Ec2InstanceNetwork } from '../routes/ec2.ts';
import { AreaControl } from './area.ts';

/** Control routes of EC2. */
export class Ec2Control extends AreaControl {
  /** Lists instances with their backends. `GET /_emulator/ec2/instances` */
  instances(): Promise<{ instances: Ec2Instance[] }> {
    return this.transport.json('GET /_emulator/ec2/instances');
  }

  /** Lists the network and isolation of each instance. `GET /_emulator/ec2/instance-networks` */
  instanceNetworks(): Promise<{ instanceNetworks: Ec2InstanceNetwork[] }> {
    return this.transport.json('GET /_emulator/ec2/instance-networks');
  }
}
