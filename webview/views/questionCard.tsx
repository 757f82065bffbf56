// Questions of the agent: options to choose from, and always room for words of one's own.
import type { QuestionAsk } from '../../src/common/asks';
import type { Question, QuestionAnswer } from '../../src/common/display';
import { useRemembered } from '../panel';
import { showHidden } from '../text/visible';
import { Button, CheckboxChoices, RadioChoices, TextField } from '../ui/controls';
import { Icon } from '../ui/icon';
import { useAnswering } from './answering';

interface Reply {
  readonly chosen: readonly string[];
  readonly text: string;
}

const NO_REPLY: Reply = { chosen: [], text: '' };

export function QuestionCard({ ask }: { readonly ask: QuestionAsk }) {
  const { card, isAnswered, answer } = useAnswering(ask.id);
  const replies = useRemembered<readonly Reply[]>(
    `replies ${ask.id}`,
    ask.questions.map(() => NO_REPLY),
  );
  const answers = ask.questions.flatMap((question, at) => toAnswer(question, replies.value[at] ?? NO_REPLY));
  const isComplete = answers.length === ask.questions.length;

  const send = () => void answer({ kind: 'question', answers });
  const change = (at: number, reply: Partial<Reply>) => {
    replies.value = replies.value.map((old, index) => (index === at ? { ...old, ...reply } : old));
  };

  return (
    <div class="ask" ref={card} role="group" aria-label="Lathe has a question">
      {ask.agent !== undefined && <p class="dim">Asked by the sub-agent “{showHidden(ask.agent)}”.</p>}
      {ask.questions.map((question, at) => (
        <QuestionField
          key={question.question}
          question={question}
          reply={replies.value[at] ?? NO_REPLY}
          onChange={(reply) => change(at, reply)}
          onEnter={() => {
            if (isComplete) send();
          }}
        />
      ))}
      <div class="ask-actions">
        <div class="buttons">
          <Button look="primary" disabled={!isComplete || isAnswered} onClick={send}>
            {ask.questions.length > 1 ? 'Send answers' : 'Send answer'}
          </Button>
          <Button disabled={isAnswered} onClick={send} title="Lathe goes on without an answer">
            Skip
          </Button>
        </div>
      </div>
    </div>
  );
}

interface FieldProps {
  readonly question: Question;
  readonly reply: Reply;
  readonly onChange: (reply: Partial<Reply>) => void;
  readonly onEnter: () => void;
}

function QuestionField({ question, reply, onChange, onEnter }: FieldProps) {
  const words = showHidden(question.question);
  const Choices = question.multiple ? CheckboxChoices : RadioChoices;
  const choose = (chosen: readonly string[]) => onChange(question.multiple ? { chosen } : { chosen, text: '' });
  return (
    <div class="question">
      <h3 class="ask-title" dir="auto">
        <Icon name="question" /> {question.header && <span class="question-header">{showHidden(question.header)}</span>}{' '}
        {words}
      </h3>
      <Choices label={words} choices={question.options} chosen={reply.chosen} onChange={choose} />
      <TextField
        label={`Your own answer to: ${words}`}
        placeholder={question.options.length > 0 ? 'Or in your own words' : 'Your answer'}
        value={reply.text}
        onInput={(text) => onChange(question.multiple || text === '' ? { text } : { text, chosen: [] })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.isComposing && event.keyCode !== 229) onEnter();
        }}
      />
    </div>
  );
}

function toAnswer({ question }: Question, { chosen, text }: Reply): QuestionAnswer[] {
  const words = text.trim();
  if (chosen.length === 0 && words === '') return [];
  return [{ question, chosen, ...(words && { text: words }) }];
}
