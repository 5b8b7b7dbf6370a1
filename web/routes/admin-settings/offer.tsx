import * as v from 'valibot'
import { inRand } from '../../../events/base/amount.ts'
import { type Offer, offer, offerAt, percentOff, usualPrice } from '../../../events/settings/offer.ts'
import { packagesOf } from '../../../events/settings/packages.ts'
import { PACKAGE_IDS, type PackageId } from '../../../events/settings/prices.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { dayInShort } from '../../staff/day.ts'
import { TextField } from '../../ui/form/field.tsx'
import { colour, from, space } from '../../ui/theme.ts'
import { SettingsForm } from './settings-form.tsx'
import { typedNumber } from './typed-number.ts'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** `offerForm` with a field for each package's usual price: blank ones are not in the offer. */
const fieldsForm = v.pipe(
  v.object({
    text: offer.entries.text,
    lastDay: offer.entries.lastDay,
    usual: v.object(v.entriesFromList(PACKAGE_IDS, v.pipe(typedNumber, v.nullable(usualPrice)))),
  }),
  v.forward(
    v.partialCheck(
      [['usual']],
      ({ usual }) => Object.values(usual).some((price) => price !== null),
      'Write the usual price of at least one package',
    ),
    ['usual', 'professional'],
  ),
  v.transform(({ usual, ...rest }) => ({
    offer: {
      ...rest,
      packages: PACKAGE_IDS.flatMap((id) => (usual[id] === null ? [] : [{ id, usualPrice: usual[id] }])),
    } satisfies Offer,
  })),
)

const usualOf = (packages: { id: string; usualPrice: number }[] = [], wanted: PackageId) =>
  String(packages.find(({ id }) => id === wanted)?.usualPrice ?? '')

const valuesOf = ({ offer: set }: Settings) => ({
  text: set?.text ?? '',
  lastDay: set?.lastDay ?? '',
  usual: {
    essential: usualOf(set?.packages, 'essential'),
    professional: usualOf(set?.packages, 'professional'),
    premium: usualOf(set?.packages, 'premium'),
  },
})

const OfferLine = ({ settings }: { settings: Settings }) => {
  const { offer: set } = settings
  if (!set) return <p>No offer.</p>
  const runs = offerAt(set as Offer, serverNow()) !== null
  return (
    <p>
      {runs
        ? `On the website until ${dayInShort(set.lastDay)}: `
        : `Ended on ${dayInShort(set.lastDay)}, not on the website: `}
      {set.text}
    </p>
  )
}

/** The price now, and the discount that follows from it. */
const hintOf = (once: number, usual: string) => {
  const number = v.safeParse(typedNumber, usual)
  const percent = number.success && number.output ? percentOff(number.output, once) : undefined
  return `Price now: ${inRand(once)}${percent ? `, ${percent}% off` : ''}`
}

const OfferForm = (props: SettingsFormProps) => {
  const form = useSettingsForm(props, OFFER, fieldsForm, valuesOf)
  const typed = form.watch('usual')
  return (
    <SettingsForm form={form} gap={space.base}>
      <div css={{ color: colour.soft }}>
        <OfferLine settings={props.settings} />
      </div>
      <TextField id="offer-text" label="What the banner says" {...form.field('text')} />
      <TextField id="offer-last-day" label="Last day" type="date" {...form.field('lastDay')} />
      <fieldset>
        <legend css={{ marginBottom: space.tight, padding: 0, fontWeight: 600 }}>
          Old price (crossed out). Empty = not in the offer.
        </legend>
        <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: 'repeat(3, 1fr)' } }}>
          {packagesOf(props.settings.packages).map(({ id, name, once }) => (
            <TextField
              key={id}
              id={`offer-usual-${id}`}
              label={`${name}, in rand`}
              hint={hintOf(once, typed[id])}
              inputMode="numeric"
              {...form.field(`usual.${id}`)}
            />
          ))}
        </div>
      </fieldset>
    </SettingsForm>
  )
}

export const OFFER: PartSection = {
  id: 'offer',
  noun: 'offer',
  intro: 'Shows on the website until the last day.',
  Form: OfferForm,
  Shown: OfferLine,
}
