import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The unit tests, of which some wait for a second each, beside the large files over HTTP, which keep the processors
 * busy; what is left for the end is small.
 */
export class UnitFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isUnit = ({ project }: TestSpecification) => project.name === 'unit';
    return [...sorted.filter(isUnit), ...sorted.filter((file) => !isUnit(file))];
  }
}
