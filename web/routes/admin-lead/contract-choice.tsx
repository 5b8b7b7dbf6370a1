import { dayInShort } from '../../staff/day.ts'
import { colour, radius, space, type } from '../../ui/theme.ts'
import { type ErasableLead, titleOf } from './erase-choice.ts'

type Chosen = 'keep' | 'erase'

const endOf = ({ contract }: ErasableLead) =>
  contract?.until ? `until ${dayInShort(contract.until)}` : 'until five years after it has ended; it has no end yet'

const CHOICES: readonly { value: Chosen; label: string; hint: string }[] = [
  {
    value: 'keep',
    label: 'Erase all else',
    hint: 'The contract, and leads that were merged with it, go by themselves once that day is over.',
  },
  { value: 'erase', label: 'Erase the contract too', hint: 'Only if you are sure that the law does not ask for it.' },
]

/** Shows which law asks to store a person's contracts, and lets an owner erase all else. */
export const ContractChoice = ({
  leads,
  chosen,
  isHeld,
  onChoose,
}: {
  leads: readonly ErasableLead[]
  chosen: Chosen
  isHeld: boolean
  onChoose: (chosen: Chosen) => void
}) => (
  <fieldset
    css={{
      display: 'grid',
      gap: space.tight,
      padding: space.snug,
      borderRadius: radius.control,
      background: colour.sunk,
    }}
  >
    <legend css={{ float: 'left', fontWeight: 600 }}>A signed contract has to be stored</legend>
    <p css={{ clear: 'left', fontSize: type.small }}>
      Tax law (Tax Administration Act 28 of 2011, section 29) asks a business for the records of its sales for five
      years. POPIA, section 14, allows storing them as long as another law asks for it.
    </p>
    <ul css={{ fontSize: type.small }}>
      {leads.map((lead) => (
        <li key={lead.id}>
          Contract of {titleOf(lead)}: {endOf(lead)}.
        </li>
      ))}
    </ul>
    {CHOICES.map(({ value, label, hint }) => (
      <label key={value} css={{ display: 'flex', alignItems: 'start', gap: space.snug, cursor: 'pointer' }}>
        <input
          type="radio"
          name="contracts"
          value={value}
          checked={chosen === value}
          disabled={isHeld}
          onChange={() => onChoose(value)}
          css={{
            flex: 'none',
            width: '1.25rem',
            height: '1.25rem',
            margin: '0.125rem 0 0',
            accentColor: colour.accent,
          }}
        />
        <span>
          {label}
          <span css={{ display: 'block', color: colour.soft, fontSize: type.small }}>{hint}</span>
        </span>
      </label>
    ))}
  </fieldset>
)
