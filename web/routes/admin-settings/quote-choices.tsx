import type { ReactNode } from 'react'
import * as v from 'valibot'
import { type Package, packageLine, packagesOf } from '../../../events/settings/packages.ts'
import {
  defaultLabels,
  differsFromCard,
  type OwnLabels,
  QUOTE_CHOICE_IDS,
  quoteChoices,
  quoteLabel,
} from '../../../events/settings/quote-choices.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { colour, from, radius, space } from '../../ui/theme.ts'
import { SettingsForm } from './settings-form.tsx'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** `quoteChoicesForm` for typed values; choices with their default texts are left out. */
const fieldsFor = ({ packages }: Settings) => {
  const defaults = defaultLabels(packages)
  return v.pipe(
    v.object(v.entriesFromList(QUOTE_CHOICE_IDS, quoteLabel)),
    v.transform((typed) => ({
      labels: Object.fromEntries(
        QUOTE_CHOICE_IDS.flatMap((value) => (typed[value] === defaults[value] ? [] : [[value, typed[value]]])),
      ) as OwnLabels,
    })),
  )
}

type Typed = Record<(typeof QUOTE_CHOICE_IDS)[number], string>

const valuesOf = ({ quoteLabels, packages }: Settings) =>
  Object.fromEntries(quoteChoices(quoteLabels, packages).map(({ value, label }) => [value, label])) as Typed

const differs = (labels: Typed, sold: Package) => differsFromCard(labels[sold.id] ?? '', sold)

const inWords = new Intl.ListFormat('en')

/** Names the packages whose cards show prices that differ from their choices. */
const Difference = ({ others, children }: { others: readonly Package[]; children?: ReactNode }) => {
  return (
    <div role="status">
      {others.length > 0 && (
        <div
          css={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: space.snug,
            padding: space.base,
            borderRadius: radius.card,
            background: colour.sunk,
          }}
        >
          <p css={{ flex: '1 1 18rem' }}>
            The quote form and the cards name different prices for {inWords.format(others.map(({ name }) => name))}.
            Visitors see both on one page.
          </p>
          {children}
        </div>
      )}
    </div>
  )
}

const QuoteChoicesList = ({ settings }: { settings: Settings }) => (
  <ul>
    {quoteChoices(settings.quoteLabels, settings.packages).map(({ value, label }) => (
      <li key={value}>{label}</li>
    ))}
  </ul>
)

/**
 * The texts of the quote form's packages, for owners to change; a hint says when their prices differ from those of the
 * cards.
 */
const QuoteChoicesForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, QUOTE_CHOICES, fieldsFor(props.settings), valuesOf)
  const labels = form.watch() as Typed
  const packages = packagesOf(props.settings.packages)
  const others = packages.filter((sold) => differs(labels, sold))
  const writeCards = () => {
    for (const one of others) form.setValue(one.id, packageLine(one), { shouldDirty: true })
  }
  return (
    <SettingsForm form={form} gap={space.base}>
      <Difference others={others}>
        <Button look="outline" onClick={writeCards}>
          Write the cards’ prices
        </Button>
      </Difference>
      <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
        {packages.map((sold) => (
          <TextField
            key={sold.id}
            id={`quote-${sold.id}`}
            label={sold.name}
            hint={differs(labels, sold) && `The card says: ${packageLine(sold)}`}
            autoComplete="off"
            {...form.field(sold.id)}
          />
        ))}
        <TextField id="quote-custom" label="None of them" autoComplete="off" {...form.field('custom')} />
      </div>
    </SettingsForm>
  )
}

export const QUOTE_CHOICES: PartSection = {
  id: 'quote-choices',
  noun: 'quote form',
  intro: 'The names in the list "Package".',
  Form: QuoteChoicesForm,
  Shown: QuoteChoicesList,
}
