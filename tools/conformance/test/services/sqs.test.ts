import { sqs } from '../../src/scenarios/sqs.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(sqs);
