import { firehose } from '../../src/scenarios/firehose.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(firehose);
