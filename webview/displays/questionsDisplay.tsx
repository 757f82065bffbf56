// What the agent asked and what the person said.
import { showHidden } from '../text/visible';
import type { DisplayProps } from './displayView';

export function QuestionsDisplay({ display }: DisplayProps<'questions'>) {
  const { questions, answers } = display;
  return (
    <dl class="questions">
      {questions.map(({ question }) => {
        const answer = answers.find((one) => one.question === question);
        const words = [...(answer?.chosen ?? []), ...(answer?.text ? [answer.text] : [])];
        return (
          <div key={question} dir="auto">
            <dt>{showHidden(question)}</dt>
            <dd>{words.length > 0 ? showHidden(words.join(', ')) : <span class="dim">not answered</span>}</dd>
          </div>
        );
      })}
    </dl>
  );
}
