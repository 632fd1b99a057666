import { kinesis } from '../../src/scenarios/kinesis.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(kinesis);
