import { iam } from '../../src/scenarios/iam.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(iam);
