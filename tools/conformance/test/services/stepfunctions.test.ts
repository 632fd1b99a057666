import { stepfunctions } from '../../src/scenarios/stepfunctions.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(stepfunctions);
