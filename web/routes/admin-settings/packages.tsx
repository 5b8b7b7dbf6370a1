import * as v from 'valibot'
import { unknownIn, unknownInWords } from '../../../events/base/unfilled-words.ts'
import { type Terms, termsInLines, termsOf } from '../../../events/contract/terms.ts'
import type { Company } from '../../../events/settings/company.ts'
import {
  MAX_LINE_CHARACTERS,
  type OwnPackages,
  type Package,
  packageFields,
  packageLine,
  packageOf,
  packagesOf,
  TERMS_PLACEHOLDERS,
} from '../../../events/settings/packages.ts'
import { PACKAGE_IDS, type PackageId } from '../../../events/settings/prices.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { colour, from, panel, space, type } from '../../ui/theme.ts'
import { SettingsForm } from './settings-form.tsx'
import { typedNumber } from './typed-number.ts'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** A text area; each line that is not blank counts. */
const typedLines = v.pipe(
  v.string(),
  v.transform((text): (string | null | undefined)[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
  v.check(
    (typed) => typed.every((line) => (line?.length ?? 0) <= MAX_LINE_CHARACTERS),
    `A line has at most ${MAX_LINE_CHARACTERS} characters`,
  ),
)

/** A text area shows one message for all of its lines. */
const filledIn = (names: readonly string[]) =>
  v.check<(string | null | undefined)[], (issue: v.CheckIssue<(string | null | undefined)[]>) => string>(
    (typed) => unknownIn(typed.join('\n'), names).length === 0,
    ({ input }) => unknownInWords(input.join('\n'), names),
  )

const { once, monthly, months, noticeDays, features, included, notIncluded, terms, ...texts } = packageFields.entries

const fields = v.object({
  ...texts,
  once: v.pipe(typedNumber, once),
  monthly: v.pipe(typedNumber, monthly),
  months: v.pipe(typedNumber, months),
  noticeDays: v.pipe(typedNumber, noticeDays),
  features: v.pipe(typedLines, filledIn([]), features),
  included: v.pipe(typedLines, filledIn([]), included),
  notIncluded: v.pipe(typedLines, filledIn([]), notIncluded),
  terms: v.pipe(typedLines, filledIn(TERMS_PLACEHOLDERS), terms),
})

const typedOf = ({ id: _, ...sold }: Package) => ({
  ...sold,
  once: String(sold.once),
  monthly: String(sold.monthly ?? ''),
  months: String(sold.months),
  noticeDays: String(sold.noticeDays),
  features: sold.features.join('\n'),
  included: sold.included.join('\n'),
  notIncluded: sold.notIncluded.join('\n'),
  terms: sold.terms.join('\n'),
})

const inOrder = (value: object) => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

const isOwn = (id: PackageId, typed: v.InferOutput<typeof fields>) =>
  inOrder({ id, ...typed }) !== inOrder(packageOf(id, {}))

/** `packagesForm` for typed values; packages that are the default ones are left out. */
const allFields = v.pipe(
  v.object(v.entriesFromList(PACKAGE_IDS, fields)),
  v.transform((typed) => ({
    packages: Object.fromEntries(
      PACKAGE_IDS.flatMap((id) => (isOwn(id, typed[id]) ? [[id, typed[id]]] : [])),
    ) as OwnPackages,
  })),
)

const valuesOf = ({ packages }: Settings) => ({
  essential: typedOf(packageOf('essential', packages)),
  professional: typedOf(packageOf('professional', packages)),
  premium: typedOf(packageOf('premium', packages)),
})

const PackageLines = ({ settings }: { settings: Settings }) => (
  <ul>
    {packagesOf(settings.packages).map((sold) => (
      <li key={sold.id}>{packageLine(sold)}</li>
    ))}
  </ul>
)

const Preview = ({ terms: shown }: { terms: Terms }) => (
  <section aria-label={`Preview of ${shown.name}`} css={{ ...panel, padding: space.base, overflowWrap: 'anywhere' }}>
    <p css={{ fontWeight: 600 }}>The contract page shows</p>
    <dl css={{ display: 'grid', gap: space.snug, marginTop: space.snug, fontSize: type.small }}>
      {termsInLines(shown).map(({ part, lines }) => (
        <div key={part}>
          <dt css={{ color: colour.soft }}>{part}</dt>
          {lines.map((line) => (
            <dd key={line} css={{ margin: 0 }}>
              {line}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  </section>
)

const NUMBERS = [
  ['once', 'Price at the start, in rand'],
  ['monthly', 'Monthly fee, in rand'],
  ['months', 'Minimum months'],
  ['noticeDays', 'Notice, in days'],
] as const

const LINES = [
  ['forWhom', 'Who it is for'],
  ['delivery', 'Delivery'],
] as const

const AREAS = [
  ['features', 'On the card, a line each'],
  ['included', 'Included, a line each'],
  ['notIncluded', 'Not included, a line each'],
  ['terms', 'Terms, a line each'],
] as const

const HINTS: Partial<Record<string, string>> = {
  monthly: 'Empty = no monthly fee.',
  terms: '{price}, {monthly}, {months} and {notice} are filled in. A line with one that has no value is left out.',
}

type FormOfPackages = Pick<ReturnType<typeof usePackagesForm>, 'field'>

const usePackagesForm = (props: SettingsFormProps) => useSettingsForm(props, PACKAGES, allFields, valuesOf)

const PackageFields = ({ id, form: { field } }: { id: PackageId; form: FormOfPackages }) => (
  <div css={{ display: 'grid', gap: space.base, alignContent: 'start' }}>
    <TextField id={`${id}-name`} label="Name" autoComplete="off" {...field(`${id}.name`)} />
    <div
      css={{ display: 'grid', gap: space.base, alignItems: 'start', [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}
    >
      {NUMBERS.map(([name, label]) => (
        <TextField
          key={name}
          id={`${id}-${name}`}
          label={label}
          hint={HINTS[name]}
          inputMode="numeric"
          autoComplete="off"
          {...field(`${id}.${name}`)}
        />
      ))}
    </div>
    {LINES.map(([name, label]) => (
      <TextField key={name} id={`${id}-${name}`} label={label} {...field(`${id}.${name}`)} />
    ))}
    <TextAreaField id={`${id}-summary`} label="Summary on the contract page" rows={2} {...field(`${id}.summary`)} />
    {AREAS.map(([name, label]) => (
      <TextAreaField
        key={name}
        id={`${id}-${name}`}
        label={label}
        hint={HINTS[name]}
        rows={3}
        css={{ fieldSizing: 'content', minHeight: '4.25rem' }}
        {...field(`${id}.${name}`)}
      />
    ))}
  </div>
)

const PackagesForm = (props: SettingsFormProps) => {
  const form = usePackagesForm(props)
  const { settings } = props
  const typed = v.safeParse(allFields, form.watch())
  const packages = typed.success ? typed.output.packages : settings.packages
  return (
    <SettingsForm form={form} gap={space.snug}>
      {packagesOf(packages).map((sold) => (
        <details key={sold.id} open={form.formState.errors[sold.id] !== undefined || undefined}>
          <summary css={{ cursor: 'pointer', padding: `${space.tight} 0`, fontSize: type.step, fontWeight: 600 }}>
            {packageLine(sold)}
          </summary>
          <div
            css={{
              display: 'grid',
              gap: space.base,
              marginBlock: `${space.tight} ${space.base}`,
              [from.wide]: { gridTemplateColumns: 'minmax(0, 3fr) minmax(0, 2fr)' },
            }}
          >
            <PackageFields id={sold.id} form={form} />
            <div>
              <Preview terms={termsOf(sold.id, { packages, company: settings.company as Company })} />
            </div>
          </div>
        </details>
      ))}
    </SettingsForm>
  )
}

export const PACKAGES: PartSection = {
  id: 'packages',
  noun: 'packages',
  intro:
    'What you sell: cards, contract pages and the quote form show it. A change makes a new version of the terms; signed contracts keep theirs.',
  Form: PackagesForm,
  Shown: PackageLines,
}
