import type { ReactNode } from 'react'
import * as v from 'valibot'
import { PACKAGE_CHOICES } from '../../../events/base/choices.ts'
import { PACKAGES, packageLine } from '../../../events/contract/packages.ts'
import type { PackageId } from '../../../events/settings/prices.ts'
import {
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
const fields = v.pipe(
  v.object(v.entriesFromList(QUOTE_CHOICE_IDS, quoteLabel)),
  v.transform((typed) => ({
    labels: Object.fromEntries(
      PACKAGE_CHOICES.flatMap(({ value, label }) => (typed[value] === label ? [] : [[value, typed[value]]])),
    ) as OwnLabels,
  })),
)

type Typed = v.InferInput<typeof fields>

const valuesOf = ({ quoteLabels }: Settings) =>
  Object.fromEntries(quoteChoices(quoteLabels).map(({ value, label }) => [value, label])) as Typed

const differs = (labels: Typed, id: PackageId) => differsFromCard(labels[id] ?? '', id)

/** The packages whose cards show prices that differ from their choices. */
const otherPrice = (labels: Typed) => PACKAGES.filter(({ id }) => differs(labels, id))

const inWords = new Intl.ListFormat('en')

const Difference = ({ labels, children }: { labels: Typed; children?: ReactNode }) => {
  const others = otherPrice(labels)
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

/** The texts of the choices, read-only. */
const QuoteChoicesList = ({ settings }: { settings: Settings }) => (
  <ul>
    {quoteChoices(settings.quoteLabels).map(({ value, label }) => (
      <li key={value}>{label}</li>
    ))}
  </ul>
)

/**
 * The texts of the quote form's packages, for owners to change; a hint says when their prices differ from those of the
 * cards.
 */
const QuoteChoicesForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, QUOTE_CHOICES, fields, valuesOf)
  const labels = form.watch()
  const writeCards = () => {
    for (const one of otherPrice(labels)) form.setValue(one.id, packageLine(one), { shouldDirty: true })
  }
  return (
    <SettingsForm form={form} gap={space.base}>
      <Difference labels={labels}>
        <Button look="outline" onClick={writeCards}>
          Write the cards’ prices
        </Button>
      </Difference>
      <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
        {PACKAGES.map(({ id, name }) => (
          <TextField
            key={id}
            id={`quote-${id}`}
            label={name}
            hint={differs(labels, id) && `The card says: ${packageLine({ id, name })}`}
            autoComplete="off"
            {...form.field(id)}
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
