import { expect, test } from 'vitest'
import { choiceInWords, SOURCE_NAMES, sourceInWords } from './labels.ts'

test.each([
  ['hero_form', 'Consultation form'],
  ['contract_premium', 'Premium contract'],
  ['Website Info Form', 'Website Info Form'],
  ['a partner', 'a partner'],
])('the source %s is %s to staff', (source, words) => {
  expect(sourceInWords(source)).toBe(words)
})

test('a source has one name, in filters and on leads', () => {
  for (const [source, name] of Object.entries(SOURCE_NAMES)) expect(sourceInWords(source)).toBe(name)
})

test('choices are in the words of the form, and typed text stays as it is', () => {
  expect(choiceInWords('timeline', '2-4weeks')).toBe('2–4 weeks')
  expect(choiceInWords('package', 'premium')).toBe('Premium')
  expect(choiceInWords('package', 'Premium - R1,499 + R499/month')).toBe('Premium - R1,499 + R499/month')
  expect(choiceInWords('industry', 'whatsapp')).toBe('WhatsApp')
  expect(choiceInWords('industry', 'Bakery')).toBe('Bakery')
  expect(choiceInWords('timeline', null)).toBeNull()
})
