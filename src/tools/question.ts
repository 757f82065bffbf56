// Tool: asks the person and waits for the answer.
import type { Question, QuestionAnswer } from '../common/display';
import { MAIN_AGENT } from '../common/events';
import { defineTool } from '../core/tool/tool';

/** Source: [T10]. */
const HEADER_MAX_CHARS = 30;

export const question = defineTool({
  name: 'question',
  kind: 'ask',
  description:
    'Asks the person and waits. Only for what you cannot find out and what changes your work. Offer options, the best one first; the person may also answer in their own words.',
  schema: {
    type: 'object',
    properties: {
      questions: {
        type: 'array',
        description: 'One to four questions, asked together',
        minItems: 1,
        maxItems: 4,
        items: {
          type: 'object',
          properties: {
            question: { type: 'string', description: 'The whole question', minLength: 1, maxLength: 2_000 },
            header: { type: 'string', description: 'Its subject in a word or two', maxLength: HEADER_MAX_CHARS },
            options: {
              type: 'array',
              description: 'What can be chosen',
              maxItems: 10,
              items: {
                type: 'object',
                properties: {
                  label: { type: 'string', description: 'One to five words', minLength: 1, maxLength: 200 },
                  description: { type: 'string', description: 'What choosing it means', maxLength: 500 },
                },
                required: ['label'],
                additionalProperties: false,
              },
            },
            multiple: { type: 'boolean', description: 'Several options may be chosen' },
          },
          required: ['question'],
          additionalProperties: false,
        },
      },
    },
    required: ['questions'],
    additionalProperties: false,
  },
  modes: 'all',
  aliases: ['ask', 'ask_user', 'AskUserQuestion', 'ask_followup_question', 'ask_question'],
  searchHint: 'ask the person',
  interrupt: 'error',
  readOnly: () => true,
  title: ({ questions }) => `Ask: ${questions[0]?.question ?? ''}`,

  async prepare({ questions }) {
    const plan = questions.map(({ question: text, header = '', options = [], multiple = false }) => ({
      question: text,
      header,
      options: options.map(({ label, description = '' }) => ({ label, description })),
      multiple,
    }));
    const twice = plan.find(({ question: text }, at) => plan.findIndex((other) => other.question === text) !== at);
    if (twice) return { objection: `The same question stands twice: ${twice.question}` };
    return { targets: [], plan };
  },

  async run(questions: readonly Question[], ctx) {
    const { call, agent } = ctx;
    const answer = await ctx.ask((id) => ({
      kind: 'question',
      id,
      call,
      ...(agent === MAIN_AGENT ? {} : { agent }),
      questions,
    }));
    if (answer.kind !== 'question') {
      const reason = answer.kind === 'dismissed' ? answer.reason : 'The question was not answered.';
      const text = `${reason} Decide yourself what is most sensible, and say in your answer what you assumed.`;
      return { text, failed: true, display: { kind: 'questions', questions, answers: [] } };
    }
    const { answers } = answer;
    return { text: answers.map(formatAnswer).join('\n'), display: { kind: 'questions', questions, answers } };
  },
});

function formatAnswer({ question: asked, chosen, text }: QuestionAnswer): string {
  const words = [...chosen, ...(text === undefined || text === '' ? [] : [text])];
  return `${asked}\n→ ${words.join('; ') || '(no answer)'}`;
}
