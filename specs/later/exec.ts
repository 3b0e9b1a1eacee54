import { api, eases, ends, type LaterSection, noRule, rel } from './row.ts';

/** Exec (Document 4, section 7). */
export const execRows: LaterSection = {
  heading: 'Exec',
  rows: [
    rel('exec.create.warnings', eases('exec.create.field.Warnings')),
    rel('exec.create.status.400', noRule('no rule says that this status does not occur')),
    api('exec.create.fields.new', '1.25', noRule('the row names the input and does not say what it does')),
    rel('exec.start.status.101', noRule('the rules on 101 and on 200 already say what the row says')),
    rel('exec.start.body', noRule('no rule starts without a body')),
    rel('exec.start.twice', noRule('the answer to a second start is observed')),
    rel('exec.resize.status', eases('exec.resize.answers-201', 'exec.resize.media-type')),
    rel('exec.inspect.shape', noRule('the shape of 1.23 is carried forward')),
    rel(
      'exec.inspect.fields',
      ends('exec.inspect.exit-code-before-end'),
      eases('exec.inspect.field.ProcessConfig.user'),
    ),
  ],
};
