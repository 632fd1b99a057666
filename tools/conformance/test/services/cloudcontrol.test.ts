import { cloudcontrol } from '../../src/scenarios/cloudcontrol.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(cloudcontrol);
