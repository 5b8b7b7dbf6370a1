import { choiceInWords, industryName } from '../../../../events/lead/labels.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { Detail } from './detail.tsx'

type Answer = [name: string, value: string | null]

/** The answers that a visitor may choose in a form. */
export const choicesOf = (lead: Lead): Answer[] => [
  ['Package', choiceInWords('package', lead.package)],
  [industryName(lead), choiceInWords('industry', lead.industry)],
  ['Timeline', choiceInWords('timeline', lead.timeline)],
  ['Terms', lead.agreedToTerms ? 'Agreed' : null],
]

/** Answers within a `dl`; optional ones without a value are not shown. */
export const Answers = ({ answers }: { answers: Answer[] }) =>
  answers.map(
    ([name, value]) =>
      value && (
        <Detail key={name} name={name}>
          {value}
        </Detail>
      ),
  )
